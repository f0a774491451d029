"""Gymnasium's own judge on the environment in examples/."""

import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium_env import ConnectFour


@pytest.mark.filterwarnings("error::UserWarning")
def test_the_same_seed_makes_the_same_game(house):
    check_env(ConnectFour(house.url()), skip_render_check=True)
