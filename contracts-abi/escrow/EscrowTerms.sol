// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Reads and checks the terms of an escrow.
/// @dev The terms are packed bytes: big-endian, without padding. Offset, length and field:
///
///       0  32  campaign     the hash that names the campaign
///      32  20  recipient    receives the milestones
///      52  20  creator      may cancel
///      72  20  asset        the ERC-20 token that the escrow holds
///      92  16  target       base units that activate the campaign
///     108   5  deadline     the last second for `donate`
///     113   5  activateBy   the last second to activate the campaign
///     118   5  expiry       the last second for `release`
///     123   1  quorum       signatures that `terminate` and `returnTransfers` need
///     124   1  surplus      1: to the recipient until the expiry, 0: back to the donors
///     125   1  n            number of verifiers
///     126   1  m            number of milestones
///     127  20  verifier, n times, in rising order
///          17  milestone, m times: amount (16 bytes), then the number of signatures (1 byte)
///
/// The functions that read a field expect terms for which `check` returned 0.
library EscrowTerms {
    uint256 private constant FIXED_LENGTH = 127;
    uint256 private constant VERIFIER_LENGTH = 20;
    uint256 private constant MILESTONE_LENGTH = 17;

    uint256 private constant MAX_VERIFIERS = 16;
    uint256 private constant MAX_MILESTONES = 32;

    function campaign(bytes memory terms) internal pure returns (bytes32) {
        return bytes32(_read(terms, 0, 32));
    }

    function recipient(bytes memory terms) internal pure returns (address) {
        return _readAddress(terms, 32);
    }

    function creator(bytes memory terms) internal pure returns (address) {
        return _readAddress(terms, 52);
    }

    function asset(bytes memory terms) internal pure returns (address) {
        return _readAddress(terms, 72);
    }

    function target(bytes memory terms) internal pure returns (uint256) {
        return _read(terms, 92, 16);
    }

    function deadline(bytes memory terms) internal pure returns (uint256) {
        return _read(terms, 108, 5);
    }

    function activateBy(bytes memory terms) internal pure returns (uint256) {
        return _read(terms, 113, 5);
    }

    function expiry(bytes memory terms) internal pure returns (uint256) {
        return _read(terms, 118, 5);
    }

    function quorum(bytes memory terms) internal pure returns (uint256) {
        return _read(terms, 123, 1);
    }

    function surplusToRecipient(bytes memory terms) internal pure returns (bool) {
        return _read(terms, 124, 1) == 1;
    }

    function verifierCount(bytes memory terms) internal pure returns (uint256) {
        return _read(terms, 125, 1);
    }

    function milestoneCount(bytes memory terms) internal pure returns (uint256) {
        return _read(terms, 126, 1);
    }

    /// @param index below `verifierCount`
    function verifier(bytes memory terms, uint256 index) internal pure returns (address) {
        return _readAddress(terms, FIXED_LENGTH + VERIFIER_LENGTH * index);
    }

    /// @param index below `milestoneCount`
    /// @return amount base units that a release pays
    /// @return required signatures that a release needs
    function milestone(bytes memory terms, uint256 index)
        internal
        pure
        returns (uint256 amount, uint256 required)
    {
        uint256 offset =
            FIXED_LENGTH + VERIFIER_LENGTH * verifierCount(terms) + MILESTONE_LENGTH * index;
        return (_read(terms, offset, 16), _read(terms, offset + 16, 1));
    }

    /// @param bitmap bit i is set if milestone i counts
    /// @return sum base units
    function sumOfMilestones(bytes memory terms, uint256 bitmap)
        internal
        pure
        returns (uint256 sum)
    {
        uint256 offset = FIXED_LENGTH + VERIFIER_LENGTH * verifierCount(terms);
        for (; bitmap != 0; bitmap >>= 1) {
            if (bitmap & 1 == 1) sum += _read(terms, offset, 16);
            offset += MILESTONE_LENGTH;
        }
    }

    /// @notice Returns the number of the first rule that the terms break, or 0 if they are valid.
    ///
    /// 1 The length fits the counts. 2 The campaign is not 0. 3 Recipient, creator and asset are
    /// not 0, and the recipient is not the asset. 4 The target is not 0. 5 The deadline is not 0.
    /// 6 activateBy is not before the deadline. 7 The expiry is not before activateBy.
    /// 8 The surplus is 0 or 1. 9 There are 1 to 16 verifiers. 10 They are not 0 and in rising
    /// order. 11 The quorum is at most n, and more than half of n: two quorums share a verifier.
    /// 12 There are 1 to 32 milestones. 13 Each amount is not 0. 14 Each milestone needs 1 to n
    /// signatures. 15 The amounts sum to the target: a rest would leave without a signature.
    function check(bytes memory terms) internal pure returns (uint256 rule) {
        if (terms.length < FIXED_LENGTH || terms.length != _lengthByCounts(terms)) return 1;
        if (campaign(terms) == 0) return 2;
        if (!_areAccountsValid(terms)) return 3;
        if (target(terms) == 0) return 4;
        if (deadline(terms) == 0) return 5;
        if (activateBy(terms) < deadline(terms)) return 6;
        if (expiry(terms) < activateBy(terms)) return 7;
        if (_read(terms, 124, 1) > 1) return 8;
        rule = _checkVerifiers(terms);
        return rule == 0 ? _checkMilestones(terms) : rule;
    }

    function _lengthByCounts(bytes memory terms) private pure returns (uint256) {
        return FIXED_LENGTH + VERIFIER_LENGTH * verifierCount(terms)
            + MILESTONE_LENGTH * milestoneCount(terms);
    }

    function _areAccountsValid(bytes memory terms) private pure returns (bool) {
        return recipient(terms) != address(0) && creator(terms) != address(0)
            && asset(terms) != address(0) && recipient(terms) != asset(terms);
    }

    function _checkVerifiers(bytes memory terms) private pure returns (uint256 rule) {
        uint256 count = verifierCount(terms);
        if (count == 0 || count > MAX_VERIFIERS) return 9;
        address last = address(0);
        for (uint256 i = 0; i < count; i++) {
            address current = verifier(terms, i);
            if (current <= last) return 10;
            last = current;
        }
        if (2 * quorum(terms) <= count || quorum(terms) > count) return 11;
    }

    function _checkMilestones(bytes memory terms) private pure returns (uint256 rule) {
        uint256 count = milestoneCount(terms);
        if (count == 0 || count > MAX_MILESTONES) return 12;
        uint256 verifiers = verifierCount(terms);
        uint256 sum = 0;
        for (uint256 i = 0; i < count; i++) {
            (uint256 amount, uint256 required) = milestone(terms, i);
            if (amount == 0) return 13;
            // Rule 13 of a later milestone comes before this rule.
            if (required == 0 || required > verifiers) rule = 14;
            sum += amount;
        }
        if (rule == 0 && sum != target(terms)) rule = 15;
    }

    function _readAddress(bytes memory terms, uint256 offset) private pure returns (address) {
        return address(uint160(_read(terms, offset, 20)));
    }

    /// @dev The word at `offset` may end after the terms. The shift removes these bytes.
    function _read(bytes memory terms, uint256 offset, uint256 size)
        private
        pure
        returns (uint256 value)
    {
        assembly ("memory-safe") {
            value := shr(sub(256, mul(8, size)), mload(add(add(terms, 0x20), offset)))
        }
    }
}
