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


def step(rows):
    """Whoever begins moves down there and up here; a star marks what is taken. Rows after the ninth are
    written there as whatever comes after 9."""
    def write(action, state):
        name = state.action_to_string(action)
        squares = zip(name[0:4:2], name[1:4:2])
        return "".join(f"{column}{rows + 1 - (ord(row) - ord('0'))}" for column, row in squares)

    return write
