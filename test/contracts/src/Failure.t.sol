// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {EscrowSignatures} from "escrow/EscrowSignatures.sol";
import {Fixture} from "./Fixture.sol";
import {BlacklistToken} from "./Tokens.sol";

/// Tests of failures, shares, refunds and the surplus.
contract FailureTest is Fixture {
    function testCancelGivesEverythingBack() public {
        donate(DONOR, 30);
        donate(OTHER_DONOR, 12);
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.Failed(CampaignEscrow.Reason.Cancelled, 42, 42, 42, 0);
        cancel();
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.Refunded(DONOR, address(token), 30);
        vm.prank(STRANGER);
        vm.assertEq(escrow.refund(DONOR), 30, "result");
        escrow.refund(OTHER_DONOR);
        vm.assertEq(balance(DONOR), 30, "donor");
        vm.assertEq(balance(OTHER_DONOR), 12, "other donor");
        vm.assertEq(escrow.refunded(), 42, "refunded");
        assertBooks(42);
    }

    function testOnlyTheCreatorCancels() public {
        address[3] memory others = [STRANGER, RECIPIENT, verifiers[0]];
        for (uint256 i = 0; i < 3; i++) {
            vm.prank(others[i]);
            vm.expectRevert(CampaignEscrow.WrongCaller.selector);
            escrow.cancel();
        }
    }

    function testCancelsBetweenMilestonesAndNotAfter() public {
        donate(DONOR, 1000 * UNIT);
        release(0);
        cancel();
        vm.assertEq(escrow.refundable(DONOR), 600 * UNIT, "the rest");
        vm.expectRevert(wrongState(CampaignEscrow.State.Failed));
        cancel();

        deployAnother();
        donate(DONOR, 1000 * UNIT);
        for (uint256 i = 0; i < 3; i++) release(i);
        vm.expectRevert(wrongState(CampaignEscrow.State.Done));
        cancel();
    }

    function testTerminatesByTheQuorum() public {
        donate(DONOR, 5);
        EscrowSignatures.Signature[] memory few = signatures(1, terminateDigest(EVIDENCE, ALWAYS));
        expectMissing(2);
        escrow.terminate(EVIDENCE, ALWAYS, few);
        EscrowSignatures.Signature[] memory signed = signatures(2, terminateDigest(EVIDENCE, ALWAYS));
        vm.expectRevert(wrongSigner(0));
        escrow.terminate(keccak256("other reason"), ALWAYS, signed);
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.Failed(CampaignEscrow.Reason.Terminated, 5, 5, 5, EVIDENCE);
        escrow.terminate(EVIDENCE, ALWAYS, signed);
        vm.expectRevert(wrongState(CampaignEscrow.State.Failed));
        escrow.terminate(EVIDENCE, ALWAYS, signed);
    }

    function testTerminationIsNotForDone() public {
        donate(DONOR, 1000 * UNIT);
        for (uint256 i = 0; i < 3; i++) release(i);
        EscrowSignatures.Signature[] memory signed = signatures(2, terminateDigest(EVIDENCE, ALWAYS));
        vm.expectRevert(wrongState(CampaignEscrow.State.Done));
        escrow.terminate(EVIDENCE, ALWAYS, signed);
    }

    function testATerminationIsValidUntilItsTime() public {
        uint256 until = vm.getBlockTimestamp() + 60;
        EscrowSignatures.Signature[] memory signed = signatures(2, terminateDigest(EVIDENCE, until));
        vm.expectRevert(wrongSigner(0));
        escrow.terminate(EVIDENCE, until + 1, signed);
        vm.warp(until + 1);
        vm.expectRevert(CampaignEscrow.WrongTime.selector);
        escrow.terminate(EVIDENCE, until, signed);
        vm.warp(until);
        escrow.terminate(EVIDENCE, until, signed);
        assertState(CampaignEscrow.State.Failed);
    }

    function testClosesAfterAMissedTarget() public {
        donate(DONOR, 999 * UNIT);
        vm.warp(t.activateBy);
        vm.expectRevert(CampaignEscrow.WrongTime.selector);
        escrow.close();
        vm.warp(t.activateBy + 1);
        vm.prank(STRANGER);
        escrow.close();
        assertFailure(CampaignEscrow.Reason.TargetMissed, 999 * UNIT, 999 * UNIT);
        vm.expectRevert(wrongState(CampaignEscrow.State.Failed));
        escrow.close();
        escrow.refund(DONOR);
        assertBooks(999 * UNIT);
    }

    function testClosesAfterTheExpiryWithTheRest() public {
        donate(DONOR, 1000 * UNIT);
        release(0);
        vm.warp(t.expiry + 1);
        escrow.close();
        assertFailure(CampaignEscrow.Reason.Expired, 600 * UNIT, 1000 * UNIT);
        escrow.refund(DONOR);
        vm.assertEq(balance(DONOR), 600 * UNIT, "the rest");
        assertBooks(1000 * UNIT);
    }

    function testNothingIsRefundedBeforeAFailure() public {
        donate(DONOR, 1000 * UNIT);
        vm.assertEq(escrow.refundable(DONOR), 0, "refundable");
        vm.expectRevert(wrongState(CampaignEscrow.State.Active));
        escrow.refund(DONOR);
        vm.assertTrue(escrow.pool() == 0 && escrow.recordedOwed() == 0, "no failure");
    }

    function testRefundsOnceAndOnlyDonors() public {
        donate(DONOR, 10);
        donate(OTHER_DONOR, 10);
        cancel();
        escrow.refund(DONOR);
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        escrow.refund(DONOR);
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        escrow.refund(STRANGER);
        vm.assertEq(balance(DONOR), 10, "once");
        vm.assertEq(balance(address(escrow)), 10, "the other donor's");
        vm.assertEq(escrow.contributed(DONOR), 0, "contributed");
        vm.assertEq(recorded(), 20, "recorded");
    }

    function testSharesAreRoundedDown() public {
        t.target = uint128(10);
        t.amounts = [1, 1, 8];
        escrow = deploy(t);
        donate(DONOR, 7);
        donate(OTHER_DONOR, 4);
        release(0);
        cancel();
        // 7 * 10 / 11 = 6.36 and 4 * 10 / 11 = 3.63
        escrow.refund(DONOR);
        escrow.refund(OTHER_DONOR);
        vm.assertEq(balance(DONOR), 6, "donor");
        vm.assertEq(balance(OTHER_DONOR), 3, "other donor");
        vm.assertEq(escrow.recordedOwed(), 1, "dust");
        assertBooks(11);
    }

    function testAShareOfLessThanAUnitIsNotPaid() public {
        t.target = 1000;
        t.amounts = [998, 1, 1];
        escrow = deploy(t);
        donate(DONOR, 1);
        donate(OTHER_DONOR, 999);
        release(0);
        cancel();
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        escrow.refund(DONOR);
    }

    /// Rounding leaves at most one unit for each donor, and the money is enough for every donor.
    function testAThousandDonorsGetTheirShares() public {
        uint256 sum = 0;
        for (uint256 i = 1; i <= 1000; i++) {
            uint256 amount = uint256(keccak256(abi.encode(i))) % (3 * UNIT) + 1;
            donate(address(uint160(0x10000 + i)), amount);
            sum += amount;
        }
        transfer(777);
        vm.assertTrue(sum > 1000 * UNIT, "the target is reached");
        release(1);
        cancel();
        uint256 owed = escrow.recordedOwed();
        for (uint256 i = 1000; i > 0; i--) {
            uint256 amount = uint256(keccak256(abi.encode(i))) % (3 * UNIT) + 1;
            address donor = address(uint160(0x10000 + i));
            escrow.refund(donor);
            uint256 exact = amount * (sum + 777 - 300 * UNIT) / (sum + 777);
            vm.assertEq(balance(donor), exact, "share");
        }
        vm.assertTrue(escrow.recordedOwed() <= 1000, "dust");
        vm.assertTrue(escrow.refunded() <= owed, "at most the reserved amount");
        assertBooks(sum + 777);
    }

    function testLateTransfersDoNotChangeTheShares() public {
        donate(DONOR, 40);
        transfer(60);
        cancel();
        transfer(1000);
        vm.assertEq(escrow.refund(DONOR), 40, "share");
        assertBooks(1100);
    }

    function testTheSurplusGoesToTheRecipient() public {
        vm.expectRevert(wrongState(CampaignEscrow.State.Funding));
        escrow.releaseSurplus();
        donate(DONOR, 1100 * UNIT);
        release(0);
        vm.expectRevert(wrongState(CampaignEscrow.State.Active));
        escrow.releaseSurplus();
        release(1);
        release(2);
        vm.expectRevert(CampaignEscrow.WrongTime.selector);
        escrow.close();
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.SurplusReleased(RECIPIENT, address(token), 100 * UNIT);
        escrow.releaseSurplus();
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        escrow.releaseSurplus();
        // A transfer after the end belongs to the surplus too.
        transfer(3);
        escrow.releaseSurplus();
        vm.assertEq(balance(RECIPIENT), 1100 * UNIT + 3, "recipient");
        vm.assertEq(escrow.released(), 1100 * UNIT + 3, "released");
        assertBooks(1100 * UNIT + 3);
    }

    function testTheSurplusGoesBackToTheDonors() public {
        t.surplus = 0;
        escrow = deploy(t);
        donate(DONOR, 900 * UNIT);
        transfer(300 * UNIT);
        for (uint256 i = 0; i < 3; i++) release(i);
        vm.expectRevert(wrongState(CampaignEscrow.State.Done));
        escrow.releaseSurplus();
        escrow.close();
        assertFailure(CampaignEscrow.Reason.None, 200 * UNIT, 1200 * UNIT);
        assertState(CampaignEscrow.State.Failed);
        escrow.refund(DONOR);
        vm.assertEq(balance(DONOR), 150 * UNIT, "share");
        payBack(address(token), OTHER_DONOR, 50 * UNIT, 1);
        vm.assertEq(balance(address(escrow)), 0, "all is paid");
        assertBooks(1200 * UNIT);
    }

    function testDoneWithoutSurplusStaysDone() public {
        for (uint8 surplus = 0; surplus < 2; surplus++) {
            t.surplus = surplus;
            t.campaign = bytes32(uint256(surplus) + 1);
            escrow = deploy(t);
            donate(DONOR, 1000 * UNIT);
            for (uint256 i = 0; i < 3; i++) release(i);
        }
        vm.warp(t.expiry + 1);
        for (uint8 surplus = 0; surplus < 2; surplus++) {
            (t.surplus, t.campaign) = (surplus, bytes32(uint256(surplus) + 1));
            escrow = deploy(t);
            vm.expectRevert(CampaignEscrow.NothingDue.selector);
            escrow.close();
            assertState(CampaignEscrow.State.Done);
        }
    }

    /// If the token blocks the recipient, the donors get the surplus after the expiry.
    function testDonorsGetTheSurplusOfABlockedRecipient() public {
        BlacklistToken usd = new BlacklistToken();
        useToken(address(usd));
        donate(DONOR, 750 * UNIT);
        donate(OTHER_DONOR, 450 * UNIT);
        for (uint256 i = 0; i < 3; i++) release(i);
        usd.setBlocked(RECIPIENT, true);
        vm.expectRevert("blocked");
        escrow.releaseSurplus();
        vm.warp(t.expiry);
        vm.expectRevert(CampaignEscrow.WrongTime.selector);
        escrow.close();
        vm.warp(t.expiry + 1);
        vm.prank(STRANGER);
        escrow.close();
        assertFailure(CampaignEscrow.Reason.None, 200 * UNIT, 1200 * UNIT);
        vm.assertEq(escrow.refund(DONOR), 125 * UNIT, "donor");
        vm.assertEq(escrow.refund(OTHER_DONOR), 75 * UNIT, "other donor");
        assertBooks(1200 * UNIT);
    }

    /// A surplus that the recipient took counts as released money.
    function testLateMoneyAfterASurplusIsShared() public {
        donate(DONOR, 600 * UNIT);
        transfer(500 * UNIT);
        for (uint256 i = 0; i < 3; i++) release(i);
        escrow.releaseSurplus();
        transfer(22 * UNIT);
        vm.warp(t.expiry + 1);
        escrow.close();
        assertFailure(CampaignEscrow.Reason.None, 22 * UNIT, 1122 * UNIT);
        vm.assertEq(escrow.refund(DONOR), 600 * UNIT * 22 / 1122, "share");
        assertBooks(1122 * UNIT);
    }

    function testAnEmptyEscrowFails() public {
        vm.warp(t.activateBy + 1);
        escrow.close();
        assertFailure(CampaignEscrow.Reason.TargetMissed, 0, 0);
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        escrow.refund(DONOR);
        assertBooks(0);
    }

    function testFuzzShares(uint96 first, uint96 second, uint96 plain, uint8 released) public {
        uint256 given = uint256(first) + second + plain;
        if (first == 0 || second == 0 || given < 3) return;
        t.target = uint128(given);
        t.amounts = [uint128(given / 3), uint128(given / 3), uint128(given - 2 * (given / 3))];
        escrow = deploy(t);
        transfer(plain);
        donate(DONOR, first);
        donate(OTHER_DONOR, second);
        for (uint256 i = 0; i < released % 3; i++) release(i);
        cancel();
        uint256 rest = given - (released % 3) * (given / 3);
        uint256 share = uint256(first) * rest / given;
        vm.assertEq(escrow.refundable(DONOR), share, "share");
        if (share > 0) escrow.refund(DONOR);
        if (escrow.refundable(OTHER_DONOR) > 0) escrow.refund(OTHER_DONOR);
        vm.assertTrue(escrow.recordedOwed() <= 2, "dust");
        assertBooks(given);
    }

    function assertFailure(CampaignEscrow.Reason reason, uint256 pool, uint256 total)
        internal view
    {
        (, CampaignEscrow.Reason why,,) = escrow.progress();
        vm.assertEq(uint256(why), uint256(reason), "reason");
        vm.assertEq(escrow.pool(), pool, "pool");
        vm.assertEq(escrow.total(), total, "total");
    }
}
