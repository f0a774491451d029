"""How actions of OpenSpiel's are written here."""


def square(columns, rows):
    """Rows are counted from the top there, from the bottom here."""
    return lambda action, _: f"{chr(97 + action % columns)}{rows - action // columns}"


def column(action, _):
    return str(action + 1)


def heap(action, state):
    name = state.action_to_string(action)
    pile, take = (int(part.split(":")[1]) for part in name.rstrip(";").split(", "))
    return f"{pile}:{take}"


def word(action, state):
    return state.action_to_string(action).lower()
