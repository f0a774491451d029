"""Asks a program that runs here for the tools and prompts it offers."""

import json
import subprocess
import tempfile


def offers(program):
    """The tools and prompts, as a bundle's manifest writes them down."""
    with tempfile.TemporaryDirectory() as folder:
        flags = ["--listen", "127.0.0.1:0", "--store", f"sqlite:{folder}/agon.db", "--no-browser"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen([program, *flags], **pipes, text=True) as agon:
            ask = Asking(agon)
            hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
            ask("initialize", hello | {"clientInfo": {"name": "packaging", "version": "1"}})
            ask.tell("notifications/initialized")
            tools = ask("tools/list", {})["tools"]
            prompts = [written(ask, prompt) for prompt in ask("prompts/list", {})["prompts"]]
            agon.stdin.close()
            agon.wait(10)
    return [{"name": tool["name"], "description": first(tool["description"])} for tool in tools], prompts


def written(ask, prompt):
    """A prompt with its blanks as a manifest writes them."""
    blanks = [argument["name"] for argument in prompt.get("arguments", [])]
    filled = {name: f"${{arguments.{name}}}" for name in blanks}
    answer = ask("prompts/get", {"name": prompt["name"], "arguments": filled})
    text = "\n".join(message["content"]["text"] for message in answer["messages"])
    return {
        "name": prompt["name"],
        "description": prompt["description"],
        "arguments": blanks,
        "text": text,
    }


def first(text):
    """The first sentence."""
    return text.split("\n")[0].split(". ")[0].rstrip(".") + "."


class Asking:
    def __init__(self, agon):
        self.agon, self.id = agon, 0

    def tell(self, method, **more):
        message = {"jsonrpc": "2.0", "method": method, **more}
        self.agon.stdin.write(json.dumps(message) + "\n")
        self.agon.stdin.flush()

    def __call__(self, method, params):
        self.id += 1
        self.tell(method, id=self.id, params=params)
        for line in self.agon.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.id:
                return answer["result"]
        raise EOFError(f"the program ended before it answered {method}")
