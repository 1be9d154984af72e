// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {EscrowSignatures} from "escrow/EscrowSignatures.sol";
import {Fixture} from "./Fixture.sol";

/// An escrow with the largest terms: 16 verifiers, 32 milestones and the highest target.
contract LargestTest is Fixture {
    uint256 private constant TARGET = type(uint128).max;
    uint256 private constant TOTAL = TARGET + 7;
    uint256 private constant DONATED = TARGET / 3;
    uint256 private constant OTHER_DONATED = TARGET / 5;
    uint256 private constant TRANSFERRED = TOTAL - DONATED - OTHER_DONATED;

    /// Amount i is digit i of the target in base 16, so each set of milestones has a different sum.
    function setUp() public override {
        super.setUp();
        makeVerifiers(16);
        t.target = uint128(TARGET);
        t.verifiers = verifiers;
        t.quorum = 16;
        t.amounts = new uint128[](32);
        t.required = new uint8[](32);
        for (uint256 i = 0; i < 32; i++) {
            t.amounts[i] = uint128(15 << (4 * i));
            t.required[i] = uint8(i % 16 + 1);
        }
        escrow = deploy(t);
        donate(DONOR, DONATED);
        donate(OTHER_DONOR, OTHER_DONATED);
        transfer(TRANSFERRED);
        escrow.activate();
    }

    function testReleasesAllOf32Milestones() public {
        vm.assertEq(releaseAndCompare(32), TARGET, "all");
        vm.assertEq(releasedMilestones(), type(uint32).max, "all bits");
        assertState(CampaignEscrow.State.Done);
        escrow.releaseSurplus();
        vm.assertEq(escrow.released(), TOTAL, "with the surplus");
        assertBooks(TOTAL);
    }

    function testCancelsAfter20Of32Milestones() public {
        uint256 pool = TOTAL - releaseAndCompare(20);
        cancel();
        assertState(CampaignEscrow.State.Failed);
        vm.assertEq(escrow.pool(), pool, "pool");
        vm.assertEq(escrow.total(), TOTAL, "total");

        uint256 share = DONATED * pool / TOTAL;
        uint256 otherShare = OTHER_DONATED * pool / TOTAL;
        uint256 transferShare = TRANSFERRED * pool / TOTAL;
        escrow.refund(DONOR);
        escrow.refund(OTHER_DONOR);
        payBack(address(token), STRANGER, transferShare, 1);
        vm.assertEq(balance(DONOR), share, "donor");
        vm.assertEq(balance(OTHER_DONOR), otherShare, "other donor");
        vm.assertEq(balance(STRANGER), transferShare, "transfer");
        vm.assertTrue(balance(address(escrow)) <= 2, "only the rounding is left");
        assertBooks(TOTAL);
    }

    /// Releases milestone 0 first, and the other milestones in another order than their own.
    function releaseAndCompare(uint256 count) private returns (uint256 sum) {
        uint256 bitmap = 0;
        for (uint256 i = 0; i < count; i++) {
            assertState(CampaignEscrow.State.Active);
            uint256 milestone = i * 11 % 32;
            release(milestone);
            sum += t.amounts[milestone];
            bitmap |= 1 << milestone;
            vm.assertEq(releasedMilestones(), bitmap, "bitmap");
            vm.assertEq(escrow.released(), sum, "released");
            vm.assertEq(balance(RECIPIENT), sum, "recipient");
            assertBooks(TOTAL);
            if (i == 31) continue;
            vm.expectRevert(CampaignEscrow.NothingDue.selector);
            escrow.release(milestone, EVIDENCE, ALWAYS, new EscrowSignatures.Signature[](0));
        }
    }
}
