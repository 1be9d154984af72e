// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A sanctions list with the one question that on-chain oracles answer; for development chains only.
contract TestSanctions {
    mapping(address => bool) private listed;

    function set(address account, bool sanctioned) external {
        listed[account] = sanctioned;
    }

    function isSanctioned(address account) external view returns (bool) {
        return listed[account];
    }
}
