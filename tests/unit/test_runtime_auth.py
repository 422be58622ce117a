"""Who may call what."""

from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from pydantic import SecretStr

from services.runtime.auth.gate import Gate
from services.runtime.auth.policy import POLICY, Access
from services.runtime.auth.principal import PrincipalKind
from services.runtime.errors import Fault, KeyInvalid, KeyMissing, KeyScope
from services.runtime.settings import ServiceSettings

DESCRIPTOR = Path(__file__).parents[2] / "gen" / "descriptor.binpb"
OF = {access: next(method for method, needed in POLICY.items() if needed is access) for access in Access}


def methods_of_the_contract() -> set[str]:
    files = FileDescriptorSet.FromString(DESCRIPTOR.read_bytes()).file
    return {
        f"/{file.package}.{service.name}/{method.name}"
        for file in files
        for service in file.service
        for method in service.method
    }


def test_the_policy_names_exactly_the_methods_of_the_contract():
    named = {method for method in POLICY if method.startswith("/scoreline.")}
    assert named == methods_of_the_contract()


def gate(*, operator_key: str | None = "operator-s3cret", public_reads: bool = True) -> Gate:
    key = None if operator_key is None else SecretStr(operator_key)
    return Gate(ServiceSettings(operator_key=key, public_reads=public_reads))


@pytest.mark.parametrize("access", Access)
def test_the_operator_may_do_everything(access: Access):
    caller = gate(public_reads=False).admit(OF[access], "Bearer operator-s3cret")
    assert caller.kind is PrincipalKind.OPERATOR


@pytest.mark.parametrize(
    ("access", "authorization", "public_reads", "outcome"),
    [
        (Access.PUBLIC, None, False, PrincipalKind.ANONYMOUS),
        (Access.PUBLIC, "Bearer other", False, PrincipalKind.BEARER),
        (Access.VIEWER, None, True, PrincipalKind.ANONYMOUS),
        (Access.VIEWER, "Bearer other", True, PrincipalKind.BEARER),
        (Access.VIEWER, None, False, KeyMissing),
        (Access.VIEWER, "Bearer other", False, KeyInvalid),
        (Access.PROVIDER, None, True, KeyMissing),
        (Access.PROVIDER, "bearer other", True, PrincipalKind.BEARER),
        (Access.PROVIDER, "Basic b3RoZXI=", True, KeyInvalid),
        (Access.OPERATOR, None, True, KeyMissing),
        (Access.OPERATOR, "Bearer other", True, KeyInvalid),
        (Access.OPERATOR, "Bearer ", True, KeyInvalid),
        (Access.OPERATOR, "Bearer operator-s3cret-and-more", True, KeyInvalid),
    ],
)
def test_others_may_do_what_the_policy_says(
    access: Access, authorization: str | None, public_reads: bool, outcome: PrincipalKind | type[Fault]
):
    doorkeeper = gate(public_reads=public_reads)
    if isinstance(outcome, PrincipalKind):
        assert doorkeeper.admit(OF[access], authorization).kind is outcome
    else:
        with pytest.raises(outcome):
            doorkeeper.admit(OF[access], authorization)


@pytest.mark.parametrize("operator_key", [None, ""])
@pytest.mark.parametrize("authorization", ["Bearer ", "Bearer None", "Bearer x"])
def test_without_an_operators_key_nobody_is_the_operator(operator_key: str | None, authorization: str):
    with pytest.raises(KeyInvalid):
        gate(operator_key=operator_key).admit(OF[Access.OPERATOR], authorization)


def test_a_provider_brings_its_key():
    assert gate().admit(OF[Access.PROVIDER], "Bearer of-nhl ").bearer == "of-nhl"


def test_a_method_without_a_policy_is_refused_even_to_the_operator():
    with pytest.raises(KeyScope):
        gate().admit("/scoreline.gamestate.v1.GamestateService/Forgotten", "Bearer operator-s3cret")


def test_a_principal_does_not_show_its_key():
    assert "of-nhl" not in repr(gate().admit(OF[Access.PROVIDER], "Bearer of-nhl"))
