// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {Fixture} from "./Fixture.sol";

/// Tests of donations, activation, and authorizations of ERC-3009.
contract DonateTest is Fixture {
    uint256 private constant DONOR_KEY = 0xD0;
    address private signer = vm.addr(DONOR_KEY);

    function testDonationIsRecordedForTheAccountThatItNames() public {
        approve(DONOR, 50);
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.Donated(OTHER_DONOR, DONOR, 50);
        vm.prank(DONOR);
        escrow.donate(50, OTHER_DONOR);
        vm.assertEq(escrow.contributed(OTHER_DONOR), 50, "donor");
        vm.assertEq(escrow.contributed(DONOR), 0, "payer");
        vm.assertEq(recorded(), 50, "recorded");
        assertBooks(50);
    }

    function testDonatesUntilTheDeadline() public {
        vm.warp(t.deadline);
        donate(DONOR, 1);
        vm.warp(t.deadline + 1);
        refusesDonation(1, DONOR, bytesOf(CampaignEscrow.WrongTime.selector));
    }

    function testRefusesADonationOfNothing() public {
        vm.expectRevert(CampaignEscrow.WrongAmount.selector);
        escrow.donate(0, DONOR);
    }

    function testRefusesRefundsToNoAccountOrToItself() public {
        refusesDonation(1, address(0), bytesOf(CampaignEscrow.WrongCaller.selector));
        refusesDonation(1, address(escrow), bytesOf(CampaignEscrow.WrongCaller.selector));
    }

    function testRefusesRefundsToTheToken() public {
        refusesDonation(1, address(token), bytesOf(CampaignEscrow.WrongCaller.selector));
        bytes memory signed = authorize(70, address(token), ALWAYS, 0);
        vm.expectRevert(CampaignEscrow.WrongCaller.selector);
        escrow.donateWithAuthorization(signer, address(token), 70, ALWAYS, 0, signed);
    }

    /// After a release, a new donor would pay for the released milestone, and the creator could
    /// cancel then.
    function testRefusesDonationsAfterARelease() public {
        donate(CREATOR, 1000 * UNIT);
        donate(DONOR, 1);
        release(0);
        refusesDonation(100_000 * UNIT, DONOR, wrongState(CampaignEscrow.State.Active));
        bytes memory signed = authorize(70, DONOR, ALWAYS, 0);
        vm.expectRevert(wrongState(CampaignEscrow.State.Active));
        escrow.donateWithAuthorization(signer, DONOR, 70, ALWAYS, 0, signed);
        cancel();
        escrow.refund(CREATOR);
        uint256 creators = balance(CREATOR) + balance(RECIPIENT);
        vm.assertTrue(creators <= 1000 * UNIT, "no profit for the creator");
        assertBooks(1000 * UNIT + 1);
    }

    /// Donations stay possible after a rejection, because a rejection releases no money.
    function testDonatesAfterARejection() public {
        donate(DONOR, 1000 * UNIT);
        escrow.reject(0, EVIDENCE, signatureOf(0, rejectDigest(0, 0)));
        donate(DONOR, 5);
        assertBooks(1000 * UNIT + 5);
    }

    function testRefusesDonationsAfterTheEnd() public {
        transfer(1000 * UNIT);
        for (uint256 i = 0; i < 3; i++) release(i);
        refusesDonation(1, DONOR, wrongState(CampaignEscrow.State.Done));
    }

    function testRefusesDonationsAfterAFailure() public {
        cancel();
        refusesDonation(1, DONOR, wrongState(CampaignEscrow.State.Failed));
    }

    function testDonationThatReachesTheTargetActivates() public {
        donate(DONOR, 1000 * UNIT - 1);
        assertState(CampaignEscrow.State.Funding);
        approve(DONOR, 1);
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.Activated(1000 * UNIT);
        vm.prank(DONOR);
        escrow.donate(1, DONOR);
        assertState(CampaignEscrow.State.Active);
        donate(DONOR, 1);
        assertBooks(1000 * UNIT + 1);
    }

    function testActivatesAtExactlyTheTarget() public {
        transfer(1000 * UNIT - 1);
        vm.expectRevert(CampaignEscrow.WrongAmount.selector);
        escrow.activate();
        transfer(1);
        escrow.activate();
        assertState(CampaignEscrow.State.Active);
        vm.expectRevert(wrongState(CampaignEscrow.State.Active));
        escrow.activate();
    }

    function testActivatesByALateTransferUntilActivateBy() public {
        vm.warp(t.activateBy);
        transfer(1000 * UNIT);
        vm.expectRevert(CampaignEscrow.WrongTime.selector);
        escrow.close();
        escrow.activate();
        assertState(CampaignEscrow.State.Active);
    }

    function testDoesNotActivateAfterActivateBy() public {
        transfer(1000 * UNIT);
        vm.warp(t.activateBy + 1);
        vm.expectRevert(CampaignEscrow.WrongTime.selector);
        escrow.activate();
        refusesRelease(0, wrongState(CampaignEscrow.State.Funding));
        escrow.close();
        assertState(CampaignEscrow.State.Failed);
    }

    function testReleaseActivates() public {
        transfer(1000 * UNIT);
        release(0);
        assertState(CampaignEscrow.State.Active);
    }

    function testAuthorizationIsRecorded() public {
        bytes memory signed = authorize(70, OTHER_DONOR, ALWAYS, 0);
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.Donated(OTHER_DONOR, signer, 70);
        vm.prank(STRANGER);
        escrow.donateWithAuthorization(signer, OTHER_DONOR, 70, ALWAYS, 0, signed);
        vm.assertEq(escrow.contributed(OTHER_DONOR), 70, "donor");
        assertBooks(70);
    }

    function testAuthorizationBindsTheRefund() public {
        bytes memory signed = authorize(70, OTHER_DONOR, ALWAYS, 0);
        vm.expectRevert();
        escrow.donateWithAuthorization(signer, STRANGER, 70, ALWAYS, 0, signed);
    }

    function testAuthorizationBindsTheEscrow() public {
        bytes memory signed = authorize(70, OTHER_DONOR, ALWAYS, 0);
        t.campaign = keccak256("another");
        CampaignEscrow other = deploy(t);
        vm.expectRevert();
        other.donateWithAuthorization(signer, OTHER_DONOR, 70, ALWAYS, 0, signed);
    }

    function testAuthorizationIsUsedOnce() public {
        bytes memory signed = authorize(70, OTHER_DONOR, ALWAYS, 0);
        token.mint(signer, 70);
        escrow.donateWithAuthorization(signer, OTHER_DONOR, 70, ALWAYS, 0, signed);
        vm.expectRevert();
        escrow.donateWithAuthorization(signer, OTHER_DONOR, 70, ALWAYS, 0, signed);
        vm.assertEq(recorded(), 70, "once");
    }

    function testAuthorizationExpires() public {
        uint256 before = vm.getBlockTimestamp() + 60;
        bytes memory signed = authorize(70, DONOR, before, 0);
        vm.warp(before);
        vm.expectRevert();
        escrow.donateWithAuthorization(signer, DONOR, 70, before, 0, signed);
        vm.warp(before - 1);
        escrow.donateWithAuthorization(signer, DONOR, 70, before, 0, signed);
    }

    function testAuthorizationEndsWithTheDeadline() public {
        bytes memory signed = authorize(70, DONOR, ALWAYS, 0);
        vm.warp(t.deadline + 1);
        vm.expectRevert(CampaignEscrow.WrongTime.selector);
        escrow.donateWithAuthorization(signer, DONOR, 70, ALWAYS, 0, signed);
    }

    function testTakenAuthorizationCannotBeUsedOutsideTheEscrow() public {
        bytes memory signed = authorize(70, DONOR, ALWAYS, 0);
        bytes32 nonce = keccak256(abi.encode(address(escrow), DONOR, bytes32(0)));
        vm.expectRevert();
        vm.prank(STRANGER);
        token.receiveWithAuthorization(
            signer, address(escrow), 70, 0, ALWAYS, nonce, signed
        );
        vm.assertTrue(!token.authorizationState(signer, nonce), "not used");
    }

    function refusesDonation(uint256 amount, address refundTo, bytes memory reason) internal {
        approve(DONOR, amount);
        vm.expectRevert(reason);
        vm.prank(DONOR);
        escrow.donate(amount, refundTo);
    }

    function authorize(uint256 amount, address refundTo, uint256 validBefore, bytes32 salt)
        internal returns (bytes memory)
    {
        token.mint(signer, amount);
        return authorizationOf(DONOR_KEY, refundTo, amount, validBefore, salt);
    }
}
