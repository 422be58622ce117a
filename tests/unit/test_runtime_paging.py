"""Page tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreline.gamestate.v1.gamestate_service_pb2 import ListGamesRequest, ListPlaysRequest
from services.runtime.errors import PageTokenInvalid
from services.runtime.paging import decode_token, encode_token

INT64 = st.integers(min_value=-(2**63), max_value=2**63 - 1)


@given(st.lists(st.text() | INT64).map(tuple))
def test_a_token_gives_its_position_back(position: tuple[str | int, ...]):
    query = ListPlaysRequest(game_id="nhl-1")
    assert decode_token(query, encode_token(query, position)) == position


def test_no_token_is_the_first_page():
    assert decode_token(ListPlaysRequest(game_id="nhl-1"), "") is None


def test_the_page_size_may_change_from_page_to_page():
    token = encode_token(ListPlaysRequest(game_id="nhl-1", page_size=10), (7,))
    later = ListPlaysRequest(game_id="nhl-1", page_size=500, page_token=token)
    assert decode_token(later, token) == (7,)


@pytest.mark.parametrize(
    "other",
    [ListPlaysRequest(game_id="nhl-2"), ListPlaysRequest(game_id="nhl-1", descending=True), ListGamesRequest()],
)
def test_a_token_is_good_for_its_own_query_only(other: ListPlaysRequest | ListGamesRequest):
    token = encode_token(ListPlaysRequest(game_id="nhl-1"), (7,))
    with pytest.raises(PageTokenInvalid):
        decode_token(other, token)


@given(st.text(min_size=1))
def test_what_is_no_token_is_told_so(token: str):
    with pytest.raises(PageTokenInvalid):
        decode_token(ListPlaysRequest(game_id="nhl-1"), token)


@given(st.data())
def test_a_changed_token_is_told_so(data: st.DataObject):
    query = ListPlaysRequest(game_id="nhl-1")
    token = encode_token(query, ("2026-11-30", 42))
    at = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.sampled_from("ABCDwxyz0189-_").filter(lambda letter: letter != token[at]))
    with pytest.raises(PageTokenInvalid):
        decode_token(query, token[:at] + other + token[at + 1 :])
