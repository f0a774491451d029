"""docs/seeds.md: the rows as a document, made from the same data that is run."""

from rows import PARTS, compact, sent

HEAD = """# The seeds, row by row

Made by `make docs` from the rows in `tests/seeds`, which `make seeds` plays on the program; do
not edit. *Line* is a line of that seed. *Sent* and *comes* are what is sent, from where things
stand that is named first, and what must come; `<...>` is any value of that sort, `$name` one that
came before, and more may come than is written here. Each row is played through every door it is
for: *plain* is JSON-RPC as a bare POST, *session* and *modern* are MCP over HTTP with and without a
session, *stdio* is a process of its own.
"""


def document(seeds):
    rows = [row for seed in seeds for row in seed.rows]
    otherwise = [row for row in rows if row.otherwise]
    parts = [HEAD, f"{len(rows)} rows, {len(otherwise)} of them resolved otherwise than written.\n"]
    for seed in seeds:
        parts.append(f"## Seed {seed.number}: {seed.title}\n\n{seed.about}\n")
        parts.append("| line | what it says | sent | comes | over |\n|---|---|---|---|---|")
        parts.extend(line(row) for row in seed.rows)
        reasons = [f"- **{row.line}**, {row.says}: {row.otherwise}"
                   for row in seed.rows if row.otherwise]
        if reasons:
            parts.append("\nResolved otherwise than written:\n\n" + "\n".join(reasons))
        parts.append("")
    return "\n".join(parts)


def line(row):
    plain = lambda step: sent(step) if "check" in step else code(sent(step))
    sends = row.sent or "; ".join(plain(step) for step in row.steps)
    before = f"*{row.before}:* " if row.before else ""
    comes = row.comes or "; ".join(filter(None, map(comes_of, row.steps))) or "an answer"
    star = " (otherwise)" if row.otherwise else ""
    doors = "all" if len(row.over) == 4 else ", ".join(row.over)
    cells = [row.line, row.says + star, before + sends, comes, doors]
    return "| " + " | ".join(cell.replace("\n", " ").replace("|", "\\|") for cell in cells) + " |"


def comes_of(step):
    """What must come of a step, shortly."""
    parts = []
    if "status" in step:
        parts.append(f"{'exit code' if 'run' in step else 'HTTP'} {step['status']}")
    if step.get("refused"):
        parts.append("refused")
    parts += [code(text) for text in step.get("text", [])]
    parts += ["like " + code(pattern) for pattern in step.get("match", [])]
    parts += ["not " + code(text) for text in step.get("silent", [])]
    for name in PARTS:
        if name in step and name != "status":
            value = step[name]
            parts.append(f"{name} {code(compact(value) if not isinstance(value, str) else value)}")
    return ", ".join(parts)


def code(text, most=220):
    text = " ".join(text.split())
    text = text if len(text) <= most else text[:most] + "..."
    ticks = "``" if "`" in text else "`"
    pad = " " if ticks == "``" else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"
