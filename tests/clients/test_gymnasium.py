"""Gymnasium's own judge on the environment in examples/."""

import pathlib
import sys

import pytest
from gymnasium.utils.env_checker import check_env

sys.path.append(str(pathlib.Path(__file__).parents[2] / "examples"))
from gymnasium_env import ConnectFour  # noqa: E402


@pytest.mark.filterwarnings("error")
def test_the_same_seed_makes_the_same_game(house):
    check_env(ConnectFour(house.url()), skip_render_check=True)
