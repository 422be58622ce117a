"""Lets a call in or not, by the policy and the caller's key."""

import hashlib
import hmac

from services.runtime.auth.policy import POLICY, Access
from services.runtime.auth.principal import ANONYMOUS, Principal, PrincipalKind
from services.runtime.errors import Fault, KeyInvalid, KeyMissing, KeyScope
from services.runtime.settings import ServiceSettings

METADATA_KEY = "authorization"
_SCHEME = "bearer "


class Gate:
    """Decides about callers; knows the operator's key only as a digest."""

    def __init__(self, settings: ServiceSettings) -> None:
        key = settings.operator_key
        self._operator = _digest(key.get_secret_value()) if key and key.get_secret_value() else None
        self._public_reads = settings.public_reads

    def admit(self, method: str, authorization: str | None) -> Principal:
        """Who the caller is.

        Args:
            method: path of the method, `/package.Service/Method`.
            authorization: the metadata of that name, `Bearer <key>`.

        Raises:
            KeyMissing, KeyInvalid, KeyScope: the caller may not call the method.
        """
        access = POLICY.get(method)
        if access is None:
            raise KeyScope(f"no policy allows {method}", metadata={"needs": f"a policy for {method}"})
        caller = self._principal(authorization)
        if caller.kind is PrincipalKind.OPERATOR or access is Access.PUBLIC:
            return caller
        if access is Access.VIEWER and self._public_reads:
            return caller
        if access is Access.PROVIDER and caller.kind is PrincipalKind.BEARER:
            return caller
        raise _refusal(caller)

    def _principal(self, authorization: str | None) -> Principal:
        if not authorization:
            return ANONYMOUS
        if authorization[: len(_SCHEME)].lower() != _SCHEME:
            raise KeyInvalid("authorization has to be `Bearer <key>`")
        bearer = authorization[len(_SCHEME) :].strip()
        operator = self._operator is not None and hmac.compare_digest(_digest(bearer), self._operator)
        return Principal(PrincipalKind.OPERATOR if operator else PrincipalKind.BEARER, bearer)


def _refusal(caller: Principal) -> Fault:
    if caller.kind is PrincipalKind.ANONYMOUS:
        return KeyMissing("the call needs a key as `authorization: Bearer <key>`")
    return KeyInvalid("the key is not the operator's")


def _digest(key: str) -> bytes:
    # Digests have one length, so that the comparison does not tell the key's.
    return hashlib.sha256(key.encode()).digest()
