// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {EscrowSignatures} from "escrow/EscrowSignatures.sol";
import {Fixture} from "./Fixture.sol";
import {BlacklistToken, HookToken, IToken, TwoAddressToken} from "./Tokens.sol";
import {Caller} from "./Tokens.t.sol";
import {Force, NoCoin} from "./Wallets.sol";

/// Tests of transfers that the escrow did not record, of other assets, and of the native coin.
contract ReturnsTest is Fixture {
    function testReturnsWhatTheQuorumSigned() public {
        transfer(50);
        vm.deal(address(escrow), 4);
        cancel();
        CampaignEscrow.TransferReturn[] memory list = twoReturns(
            oneReturn(t.asset, DONOR, 50, 1)[0], oneReturn(address(0), OTHER_DONOR, 4, 1)[0]
        );
        list[1].position = -3;
        EscrowSignatures.Signature[] memory signed = signatures(2, returnsDigest(list, ALWAYS));
        bytes32 transaction = list[0].transaction;
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.TransferReturned(DONOR, t.asset, 50, transaction, 0);
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.TransferReturned(OTHER_DONOR, address(0), 4, transaction, -3);
        vm.prank(STRANGER);
        escrow.returnTransfers(list, ALWAYS, signed);
        vm.assertEq(balance(DONOR), 50, "token");
        vm.assertEq(OTHER_DONOR.balance, 4, "native coin");
        vm.assertTrue(escrow.isReturned(transaction, 0), "first");
        vm.assertTrue(escrow.isReturned(transaction, -3), "second");
        vm.assertTrue(!escrow.isReturned(transaction, 3), "another position");
        vm.assertEq(escrow.refunded(), 50, "refunded");
        assertBooks(50);
    }

    function testEachTransferReturnsOnce() public {
        transfer(50);
        cancel();
        payBack(t.asset, DONOR, 10, 1);
        refusesReturns(
            oneReturn(t.asset, OTHER_DONOR, 10, 1), bytesOf(CampaignEscrow.NothingDue.selector)
        );
        CampaignEscrow.TransferReturn memory same = oneReturn(t.asset, DONOR, 10, 2)[0];
        refusesReturns(twoReturns(same, same), bytesOf(CampaignEscrow.NothingDue.selector));
        // Another transfer in the same transaction.
        CampaignEscrow.TransferReturn[] memory list = oneReturn(t.asset, DONOR, 10, 1);
        list[0].position = 1;
        returnTransfers(list);
        vm.assertEq(balance(DONOR), 20, "both");
    }

    function testReturnsNothingBeforeTheEnd() public {
        IToken other = otherToken(5);
        address[3] memory assets = [t.asset, address(other), address(0)];
        transfer(1000 * UNIT);
        vm.deal(address(escrow), 5);
        for (uint256 i = 0; i < 3; i++) {
            bytes memory reason = wrongState(CampaignEscrow.State.Funding);
            refusesReturns(oneReturn(assets[i], DONOR, 5, 1), reason);
        }
        release(0);
        for (uint256 i = 0; i < 3; i++) {
            bytes memory reason = wrongState(CampaignEscrow.State.Active);
            refusesReturns(oneReturn(assets[i], DONOR, 5, 1), reason);
        }
    }

    function testReturnsNeedTheQuorum() public {
        transfer(50);
        cancel();
        CampaignEscrow.TransferReturn[] memory list = oneReturn(t.asset, DONOR, 50, 1);
        bytes32 hash = returnsDigest(list, ALWAYS);
        EscrowSignatures.Signature[] memory signed = signatures(1, hash);
        expectMissing(2);
        escrow.returnTransfers(list, ALWAYS, signed);
        signed = signatures(2, hash);
        signed[1] = signature(1, FOREIGN_KEY, hash);
        refusesSigner(1, list, ALWAYS, signed);
        signed[1] = signed[0];
        refusesSigner(1, list, ALWAYS, signed);
    }

    function testSignaturesNameTheWholeList() public {
        transfer(50);
        cancel();
        CampaignEscrow.TransferReturn[] memory list = oneReturn(t.asset, DONOR, 30, 1);
        EscrowSignatures.Signature[] memory signed = signatures(2, returnsDigest(list, ALWAYS));
        refusesSigner(0, list, ALWAYS - 1, signed);
        refusesSigner(0, twoReturns(list[0], oneReturn(t.asset, DONOR, 1, 2)[0]), ALWAYS, signed);
        CampaignEscrow.TransferReturn[] memory changed = oneReturn(t.asset, STRANGER, 30, 1);
        refusesSigner(0, changed, ALWAYS, signed);
        refusesSigner(0, oneReturn(t.asset, DONOR, 31, 1), ALWAYS, signed);
        refusesSigner(0, oneReturn(t.asset, DONOR, 30, 2), ALWAYS, signed);
        refusesSigner(0, oneReturn(address(0), DONOR, 30, 1), ALWAYS, signed);
        changed = oneReturn(t.asset, DONOR, 30, 1);
        changed[0].position = 1;
        refusesSigner(0, changed, ALWAYS, signed);
        // A signature is valid only for the escrow of its campaign.
        (t.campaign, changed) = (keccak256("another"), list);
        EscrowSignatures.Signature[] memory other = signatures(2, returnsDigest(list, ALWAYS));
        refusesSigner(0, list, ALWAYS, other);
        escrow.returnTransfers(list, ALWAYS, signed);
        escrow = deploy(t);
        transfer(50);
        cancel();
        refusesSigner(0, list, ALWAYS, signed);
    }

    function testReturnsAreValidUntilTheirTime() public {
        transfer(50);
        cancel();
        uint256 until = vm.getBlockTimestamp() + 60;
        CampaignEscrow.TransferReturn[] memory list = oneReturn(t.asset, DONOR, 50, 1);
        EscrowSignatures.Signature[] memory signed = signatures(2, returnsDigest(list, until));
        vm.warp(until + 1);
        vm.expectRevert(CampaignEscrow.WrongTime.selector);
        escrow.returnTransfers(list, until, signed);
        vm.warp(until);
        escrow.returnTransfers(list, until, signed);
    }

    function testRefusesAnEmptyList() public {
        cancel();
        refusesReturns(
            new CampaignEscrow.TransferReturn[](0), bytesOf(CampaignEscrow.NothingDue.selector)
        );
    }

    function testReturnsToRealAccountsOnly() public {
        transfer(60);
        cancel();
        address[3] memory wrong = [address(0), address(escrow), t.asset];
        for (uint256 i = 0; i < 3; i++) {
            refusesReturns(
                oneReturn(t.asset, wrong[i], 60, 1), bytesOf(CampaignEscrow.WrongCaller.selector)
            );
        }
        assertBooks(60);
    }

    function testReturnsTakeNothingFromRecordedDonors() public {
        donate(DONOR, 40);
        donate(OTHER_DONOR, 40);
        transfer(60);
        cancel();
        bytes memory reserved = bytesOf(CampaignEscrow.ReservedForDonors.selector);
        refusesReturns(oneReturn(t.asset, STRANGER, 61, 1), reserved);
        CampaignEscrow.TransferReturn memory half = oneReturn(t.asset, STRANGER, 30, 1)[0];
        refusesReturns(twoReturns(half, oneReturn(t.asset, STRANGER, 31, 2)[0]), reserved);
        payBack(t.asset, STRANGER, 60, 1);
        refusesReturns(oneReturn(t.asset, STRANGER, 1, 2), reserved);
        vm.assertEq(escrow.refund(DONOR), 40, "a recorded donor");
        // The refund of one donor does not free the reserve of the other donor.
        refusesReturns(oneReturn(t.asset, STRANGER, 1, 2), reserved);
        vm.assertEq(escrow.refund(OTHER_DONOR), 40, "the other donor");
        assertBooks(140);
    }

    function testReturnsTakeNoSurplus() public {
        t.surplus = 0;
        escrow = deploy(t);
        donate(DONOR, 1100 * UNIT);
        for (uint256 i = 0; i < 3; i++) release(i);
        CampaignEscrow.TransferReturn[] memory list = oneReturn(t.asset, STRANGER, 100 * UNIT, 1);
        refusesReturns(list, wrongState(CampaignEscrow.State.Done));
        escrow.close();
        refusesReturns(list, bytesOf(CampaignEscrow.ReservedForDonors.selector));
        vm.assertEq(escrow.refund(DONOR), 100 * UNIT, "the donor");
    }

    function testLateTransfersGoBackInFull() public {
        donate(DONOR, 40);
        cancel();
        transfer(9);
        payBack(t.asset, OTHER_DONOR, 9, 1);
        vm.assertEq(escrow.refund(DONOR), 40, "the donor");
        assertBooks(49);
    }

    function testOtherAssetsGoBackAfterAFailureAndAfterTheEnd() public {
        IToken other = otherToken(30);
        cancel();
        other.mint(address(escrow), 5);
        payBack(address(other), DONOR, 35, 1);
        vm.assertEq(other.balanceOf(DONOR), 35, "after a failure");
        vm.assertEq(escrow.refunded(), 0, "another asset");

        deployAnother();
        transfer(1000 * UNIT + 1);
        for (uint256 i = 0; i < 3; i++) release(i);
        other.mint(address(escrow), 8);
        vm.deal(address(escrow), 6);
        payBack(address(other), DONOR, 8, 1);
        payBack(address(0), DONOR, 6, 2);
        vm.assertEq(other.balanceOf(DONOR), 43, "after the end");
        vm.assertEq(DONOR.balance, 6, "the native coin");
        vm.assertEq(balance(address(escrow)), 1, "the surplus");
    }

    /// The escrow has the same address on each chain, so donors may send tokens on the wrong chain.
    function testOtherAssetsGoBackWhereTheTokenIsNot() public {
        IToken other = token;
        t.asset = address(0xA55E7);
        escrow = deploy(t);
        other.mint(address(escrow), 500);
        vm.expectRevert(CampaignEscrow.WrongAmount.selector);
        escrow.activate();
        vm.prank(DONOR);
        vm.expectRevert();
        escrow.donate(1, DONOR);
        vm.expectRevert();
        escrow.donateWithAuthorization(DONOR, DONOR, 1, ALWAYS, 0, "");
        vm.warp(t.activateBy + 1);
        escrow.close();
        payBack(address(other), DONOR, 500, 1);
        vm.assertEq(other.balanceOf(DONOR), 500, "back");
        vm.assertEq(escrow.refunded(), 0, "nothing in the asset of the terms");
    }

    function testForcedNativeCoinsChangeNothing() public {
        vm.deal(address(this), 3);
        new Force{value: 3}(payable(address(escrow)));
        vm.assertEq(address(escrow).balance, 3, "forced");
        transfer(1000 * UNIT - 1);
        vm.expectRevert(CampaignEscrow.WrongAmount.selector);
        escrow.activate();
        donate(OTHER_DONOR, 1);
        cancel();
        payBack(address(0), DONOR, 3, 1);
        vm.assertEq(DONOR.balance, 3, "back");
        vm.assertEq(escrow.refund(OTHER_DONOR), 1, "share");
    }

    /// The verifiers can then sign a list without the receiver that the token blocks.
    function testABlockedReceiverStopsItsListAndNoOther() public {
        BlacklistToken usd = new BlacklistToken();
        useToken(address(usd));
        transfer(11);
        cancel();
        CampaignEscrow.TransferReturn memory one = oneReturn(t.asset, DONOR, 5, 1)[0];
        CampaignEscrow.TransferReturn memory two = oneReturn(t.asset, OTHER_DONOR, 6, 2)[0];
        usd.setBlocked(DONOR, true);
        refusesReturns(twoReturns(two, one), abi.encodeWithSignature("Error(string)", "blocked"));
        vm.assertTrue(!escrow.isReturned(two.transaction, 0), "nothing is marked");
        payBack(t.asset, OTHER_DONOR, 6, 2);
        usd.setBlocked(DONOR, false);
        payBack(t.asset, DONOR, 5, 1);
        vm.assertTrue(balance(DONOR) == 5 && balance(OTHER_DONOR) == 6, "both");
    }

    function testAReceiverThatRefusesTheNativeCoinStopsItsListAndNoOther() public {
        vm.deal(address(escrow), 6);
        cancel();
        CampaignEscrow.TransferReturn[] memory list =
            oneReturn(address(0), address(new NoCoin()), 3, 1);
        EscrowSignatures.Signature[] memory signed = signatures(2, returnsDigest(list, ALWAYS));
        vm.expectRevert();
        escrow.returnTransfers(list, ALWAYS, signed);
        payBack(address(0), DONOR, 3, 2);
        payBack(address(0), DONOR, 3, 1);
        vm.assertEq(DONOR.balance, 6, "another receiver");
    }

    function testABlockedDonorBlocksOnlyItself() public {
        BlacklistToken usd = new BlacklistToken();
        useToken(address(usd));
        donate(DONOR, 5);
        donate(OTHER_DONOR, 6);
        cancel();
        usd.setBlocked(DONOR, true);
        vm.expectRevert("blocked");
        escrow.refund(DONOR);
        vm.assertEq(escrow.refund(OTHER_DONOR), 6, "the other donor");
        usd.setBlocked(DONOR, false);
        vm.assertEq(escrow.refund(DONOR), 5, "later");
    }

    function testTheSecondAddressOfATokenTakesNothing() public {
        TwoAddressToken two = new TwoAddressToken();
        useToken(address(two));
        donate(DONOR, 40);
        transfer(60);
        cancel();
        refusesReturns(
            oneReturn(address(two.other()), STRANGER, 10, 1),
            bytesOf(CampaignEscrow.ReservedForDonors.selector)
        );
        assertBooks(100);
    }

    /// The returns are marked before the first payment. The receiver calls back in both payments.
    function testAReceiverCannotCallBack() public {
        HookToken hooks = new HookToken();
        Caller caller = new Caller();
        caller.setHook(hooks);
        useToken(address(hooks));
        transfer(20);
        cancel();
        CampaignEscrow.TransferReturn[] memory again =
            oneReturn(t.asset, address(caller), 5, 3);
        EscrowSignatures.Signature[] memory signed = signatures(2, returnsDigest(again, ALWAYS));
        caller.plan(
            address(escrow),
            abi.encodeCall(CampaignEscrow.returnTransfers, (again, ALWAYS, signed)),
            false
        );
        CampaignEscrow.TransferReturn memory one = oneReturn(t.asset, address(caller), 5, 1)[0];
        CampaignEscrow.TransferReturn memory two = oneReturn(t.asset, address(caller), 6, 2)[0];
        caller.watch(escrow, two.transaction);
        returnTransfers(twoReturns(one, two));
        caller.assertRefused();
        vm.assertEq(balance(address(caller)), 11, "paid once");
        vm.assertEq(caller.sawUnmarked(), 0, "marked before the payments");
    }

    function otherToken(uint256 amount) internal returns (IToken other) {
        other = IToken(vm.deployCode(string.concat(FOLDER, "TestToken.json")));
        other.mint(address(escrow), amount);
    }

    function twoReturns(
        CampaignEscrow.TransferReturn memory one,
        CampaignEscrow.TransferReturn memory two
    ) internal pure returns (CampaignEscrow.TransferReturn[] memory list) {
        list = new CampaignEscrow.TransferReturn[](2);
        (list[0], list[1]) = (one, two);
    }

    function refusesSigner(
        uint256 position,
        CampaignEscrow.TransferReturn[] memory list,
        uint256 validUntil,
        EscrowSignatures.Signature[] memory signed
    ) internal {
        vm.expectRevert(wrongSigner(position));
        escrow.returnTransfers(list, validUntil, signed);
    }
}
