"""Resume tokens: what goes in comes out, and nobody else's gets in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.fanout.domain.token import LONGEST, Position, TokenSigner, TokenUnreadable

ids = st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True)
positions = st.lists(
    st.builds(Position, ids, st.text(max_size=16), st.integers(0, 2**63 - 1)),
    max_size=40,
    unique_by=lambda position: position.game_id,
)
signer = TokenSigner(b"shared by all replicas")


@given(ids, positions)
def test_says_what_was_signed(targets: str, signed: list[Position]) -> None:
    token = TokenSigner(b"shared by all replicas").read(signer.sign(targets, signed))
    assert token.targets == targets
    assert list(token.positions.values()) == signed


@given(positions, st.data())
def test_any_changed_character_is_noticed(signed: list[Position], data: st.DataObject) -> None:
    text = signer.sign("targets", signed)
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from("ABCDabcd0123-_é=").filter(lambda character: character != text[at]))
    with pytest.raises(TokenUnreadable):
        signer.read(text[:at] + other + text[at + 1 :])


@given(st.text(max_size=200))
def test_no_text_is_a_token(text: str) -> None:
    with pytest.raises(TokenUnreadable):
        signer.read(text)


def test_a_token_of_another_key_is_refused() -> None:
    with pytest.raises(TokenUnreadable):
        signer.read(TokenSigner(b"somebody else's").sign("targets", [Position("g", "1", 5)]))


def test_a_format_from_the_future_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as future:
        future.setattr("services.fanout.domain.token._VERSION", 2)
        text = TokenSigner(b"shared by all replicas").sign("targets", [])
    with pytest.raises(TokenUnreadable, match="unknown format 2"):
        signer.read(text)


def test_a_thousand_games_fit_into_a_request() -> None:
    many = [Position(f"sportradar-nba-{number * 7919:032x}", "9f8e7d6c", number) for number in range(1000)]
    text = signer.sign("targets", many)
    assert 0 < len(text) <= LONGEST
    assert list(signer.read(text).positions.values()) == many
