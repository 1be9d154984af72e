// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The function of ERC-3009 that an escrow needs, as USDC 2.2 has it.
interface IERC3009 {
    /// @notice Moves `value` from `from` to the caller `to`, by a signature of `from`.
    /// @param validAfter the time of the block must be later
    /// @param validBefore the time of the block must be earlier
    /// @param nonce 32 bytes that `from` has not used before
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external;
}
