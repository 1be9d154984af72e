// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A wallet that answers EIP-1271 as the test sets.
contract AnswerWallet {
    enum Answer {
        Yes,
        No,
        Revert,
        BurnGas,
        Short
    }

    Answer public answer;

    function setAnswer(Answer value) external {
        answer = value;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (answer == Answer.Revert) revert("no");
        if (answer == Answer.BurnGas) while (true) {}
        if (answer == Answer.Short) {
            assembly {
                return(0, 4)
            }
        }
        return answer == Answer.Yes ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// Accepts the ECDSA signatures of one key, like an EIP-7702 account with the code of a wallet.
contract KeyWallet {
    address private immutable _key;

    constructor(address key) {
        _key = key;
    }

    function isValidSignature(bytes32 hash, bytes calldata data) external view returns (bytes4) {
        address signer = ecrecover(hash, uint8(data[64]), bytes32(data[:32]), bytes32(data[32:64]));
        return signer == _key ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// A contract that refuses the native coin.
contract NoCoin {}

/// Forces native coins into an account that refuses them.
contract Force {
    constructor(address payable account) payable {
        selfdestruct(account);
    }
}
