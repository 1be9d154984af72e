// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Never deployed: its creation code runs in an `eth_call` without a recipient and returns one
/// byte, 1 if the account is a wallet.
contract WalletProbe {
    constructor(address account) {
        bool isWallet = _hasKey(account) || _answersAsWallet(account);
        assembly {
            mstore8(0, isWallet)
            return(0, 1)
        }
    }

    /// Whether the account has no code, or the code of a delegation (EIP-7702).
    function _hasKey(address account) private view returns (bool) {
        return account.code.length == 0 || bytes2(account.code) == 0xef01;
    }

    /// A contract has a function if it answers it in another way than functions that it lacks. So
    /// wallets are found that revert for a wrong signature or caller, and no contracts that accept
    /// or refuse every call.
    function _answersAsWallet(address account) private view returns (bool) {
        bytes32 lacks = _ask(account, 0x6e5a97c4);
        // Unlike answers to two functions that no contract has: answers say nothing.
        if (_ask(account, 0x51a2f0c4) != lacks) return false;
        return _ask(account, 0x1626ba7e) != lacks // isValidSignature(bytes32,bytes), EIP-1271
            || _ask(account, 0x3a871cdd) != lacks // validateUserOp, ERC-4337 version 0.6
            || _ask(account, 0x19822f7c) != lacks // validateUserOp, ERC-4337 from version 0.7
            || (_ask(account, 0xe75235b8) != lacks // getThreshold(), Safe
                && _ask(account, 0xa0e67e2b) != lacks); // getOwners(), Safe
    }

    /// Success, length and the first four bytes of an answer, which are an error's selector. The
    /// arguments fit all functions. For `isValidSignature` they are a hash, and 65 bytes as the
    /// signature. For `validateUserOp` they are an operation at 0x40, a hash and an amount.
    function _ask(address account, bytes4 selector) private view returns (bytes32) {
        (bool success, bytes memory data) = account.staticcall{gas: 500_000}(
            abi.encodePacked(selector, uint256(0x40), uint256(0x40), uint256(65), new bytes(384))
        );
        return keccak256(abi.encode(success, data.length, bytes4(data)));
    }
}
