// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ReentrancyGuardTransient} from
    "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {EscrowSignatures} from "escrow/EscrowSignatures.sol";
import {Fixture} from "./Fixture.sol";
import {
    BlacklistToken,
    FalseToken,
    FeeToken,
    HookToken,
    IHook,
    IToken,
    NoReturnToken,
    WipeToken
} from "./Tokens.sol";

/// Tests of tokens with their own rules, and of recipients that refuse or call back.
contract TokensTest is Fixture {
    function testATokenThatReturnsNothing() public {
        useToken(address(new NoReturnToken()));
        donate(DONOR, 1000 * UNIT);
        release(0);
        cancel();
        escrow.refund(DONOR);
        vm.assertEq(balance(RECIPIENT), 400 * UNIT, "recipient");
        vm.assertEq(balance(DONOR), 600 * UNIT, "donor");
        assertBooks(1000 * UNIT);
    }

    function testATokenThatReturnsFalse() public {
        useToken(address(new FalseToken()));
        vm.prank(DONOR);
        vm.expectRevert();
        escrow.donate(10, DONOR);
        donate(DONOR, 1000 * UNIT);
        release(0);
        vm.assertEq(balance(RECIPIENT), 400 * UNIT, "recipient");
    }

    function testATokenWithAFeeCreditsOnlyTheArrivedAmount() public {
        useToken(address(new FeeToken()));
        donate(DONOR, 1000);
        vm.assertEq(escrow.contributed(DONOR), 990, "credit");
        vm.assertEq(balance(address(escrow)), 990, "balance");
        cancel();
        vm.assertEq(escrow.refund(DONOR), 990, "refund");
    }

    function testATokenWithoutASupplyLimitStopsNoRefund() public {
        donate(DONOR, 1000 * UNIT);
        release(0);
        // The token refuses a supply above 2^256, so this is the largest possible amount.
        token.mint(address(escrow), ALWAYS - 1000 * UNIT);
        cancel();
        vm.assertEq(escrow.pool(), ALWAYS - 400 * UNIT, "pool");
        vm.assertEq(escrow.total(), ALWAYS, "total");
        vm.assertTrue(escrow.refund(DONOR) <= 1000 * UNIT, "share");
    }

    function testAFloodOfReturnedMoneyStopsNoRefund() public {
        HookToken free = new HookToken();
        useToken(address(free));
        donate(DONOR, 1000 * UNIT);
        release(0);
        free.mint(address(escrow), ALWAYS - 600 * UNIT);
        cancel();
        vm.assertEq(escrow.pool(), ALWAYS, "pool");
        vm.assertEq(escrow.total(), ALWAYS, "the sum is cut");
        vm.assertEq(escrow.refund(DONOR), 1000 * UNIT, "share");
    }

    function testAWipedBalanceIsSharedEqually() public {
        WipeToken wiped = new WipeToken();
        useToken(address(wiped));
        donate(DONOR, 500);
        donate(OTHER_DONOR, 300);
        wiped.wipe(address(escrow), 400);
        cancel();
        vm.assertTrue(escrow.pool() == 400 && escrow.total() == 800, "half is left");
        vm.assertEq(escrow.recordedOwed(), 400, "the reserve is the balance");
        vm.assertEq(escrow.refund(DONOR), 250, "half");
        vm.assertEq(escrow.refund(OTHER_DONOR), 150, "the other half");
    }

    function testAFloodAfterTheEndStopsNoSurplus() public {
        WipeToken free = new WipeToken();
        useToken(address(free));
        donate(DONOR, 1050 * UNIT);
        for (uint256 i = 0; i < 3; i++) release(i);
        free.mint(address(escrow), ALWAYS - 1050 * UNIT);
        escrow.releaseSurplus();
        free.wipe(RECIPIENT, balance(RECIPIENT));
        free.mint(address(escrow), 2000 * UNIT);
        escrow.releaseSurplus();
        vm.assertEq(balance(RECIPIENT), 2000 * UNIT, "paid");
        vm.assertEq(escrow.released(), ALWAYS, "released");
    }

    function testAFloodOfReturnsStopsNoReturn() public {
        WipeToken free = new WipeToken();
        useToken(address(free));
        donate(DONOR, 7);
        cancel();
        escrow.refund(DONOR);
        free.mint(address(escrow), ALWAYS);
        payBack(address(free), STRANGER, ALWAYS, 1);
        free.mint(address(escrow), 5);
        payBack(address(free), OTHER_DONOR, 5, 2);
        vm.assertEq(balance(OTHER_DONOR), 5, "paid");
        vm.assertEq(escrow.refunded(), ALWAYS, "refunded");
    }

    function testHugeDonations() public {
        donate(DONOR, 2 ** 207);
        donate(OTHER_DONOR, 2 ** 206);
        transfer(2 ** 255);
        release(0);
        cancel();
        escrow.refund(DONOR);
        escrow.refund(OTHER_DONOR);
        assertBooks(2 ** 255 + 2 ** 207 + 2 ** 206);
    }

    /// Only a token without a supply limit has such amounts. Other donors can still get their
    /// refunds.
    function testRefusesADonationThatDoesNotFit() public {
        donate(DONOR, 2 ** 208 - 1);
        approve(OTHER_DONOR, 2 ** 208);
        uint256[2] memory amounts = [uint256(1), 2 ** 208];
        for (uint256 i = 0; i < 2; i++) {
            vm.expectRevert();
            vm.prank(OTHER_DONOR);
            escrow.donate(amounts[i], OTHER_DONOR);
        }
        cancel();
        vm.assertEq(escrow.refund(DONOR), 2 ** 208 - 1, "refund");
        assertBooks(2 ** 208 - 1);
    }

    function testABlockedRecipientGetsItsMoneyLater() public {
        BlacklistToken usd = new BlacklistToken();
        useToken(address(usd));
        donate(DONOR, 1000 * UNIT);
        usd.setBlocked(RECIPIENT, true);
        EscrowSignatures.Signature[] memory signed = signatures(1, releaseDigest(0));
        vm.expectRevert("blocked");
        escrow.release(0, EVIDENCE, ALWAYS, signed);
        vm.assertEq(releasedMilestones(), 0, "open");
        usd.setBlocked(RECIPIENT, false);
        escrow.release(0, EVIDENCE, ALWAYS, signed);
        usd.setBlocked(RECIPIENT, true);
        vm.warp(t.expiry + 1);
        escrow.close();
        vm.assertEq(escrow.refund(DONOR), 600 * UNIT, "the rest goes back");
    }

    function testARecipientThatRevertsStopsOnlyItsOwnRelease() public {
        (, Caller caller) = useHooks();
        caller.plan(address(escrow), "", true);
        EscrowSignatures.Signature[] memory signed = signatures(1, releaseDigest(0));
        vm.expectRevert("refused");
        escrow.release(0, EVIDENCE, ALWAYS, signed);
        vm.prank(address(caller));
        escrow.cancel();
        vm.assertEq(escrow.refund(DONOR), 1000 * UNIT, "refund");
    }

    /// The recipient calls each function while it receives a milestone. The contract refuses all
    /// calls.
    function testARecipientCannotCallBack() public {
        (, Caller caller) = useHooks();
        EscrowSignatures.Signature[] memory first = signatures(1, releaseDigest(0));
        bytes[] memory calls = allCalls();
        for (uint256 i = 0; i < calls.length; i++) {
            uint256 before = vm.snapshotState();
            caller.plan(address(escrow), calls[i], false);
            escrow.release(0, EVIDENCE, ALWAYS, first);
            caller.assertRefused();
            vm.assertEq(balance(address(caller)), 400 * UNIT, "paid once");
            vm.revertToState(before);
        }
    }

    /// A call of each function that changes state. Most of them would succeed otherwise.
    function allCalls() internal view returns (bytes[] memory calls) {
        EscrowSignatures.Signature memory signed = signatureOf(0, rejectDigest(1, 0));
        calls = new bytes[](12);
        calls[0] = abi.encodeCall(
            CampaignEscrow.release, (1, EVIDENCE, ALWAYS, signatures(2, releaseDigest(1)))
        );
        bytes32 ended = terminateDigest(EVIDENCE, ALWAYS);
        calls[1] = abi.encodeCall(CampaignEscrow.terminate, (EVIDENCE, ALWAYS, signatures(2, ended)));
        calls[2] = abi.encodeCall(CampaignEscrow.reject, (1, EVIDENCE, signed));
        calls[3] = abi.encodeCall(CampaignEscrow.donate, (1, STRANGER));
        calls[4] = abi.encodeCall(
            CampaignEscrow.donateWithAuthorization, (DONOR, DONOR, 1, ALWAYS, 0, "")
        );
        calls[5] = abi.encodeCall(CampaignEscrow.activate, ());
        calls[6] = abi.encodeCall(CampaignEscrow.close, ());
        calls[7] = abi.encodeCall(CampaignEscrow.cancel, ());
        calls[8] = abi.encodeCall(CampaignEscrow.releaseSurplus, ());
        calls[9] = abi.encodeCall(CampaignEscrow.refund, (DONOR));
        calls[10] = abi.encodeCall(CampaignEscrow.open, ());
        CampaignEscrow.TransferReturn[] memory list = oneReturn(t.asset, STRANGER, 1, 1);
        calls[11] = abi.encodeCall(
            CampaignEscrow.returnTransfers,
            (list, ALWAYS, signatures(2, returnsDigest(list, ALWAYS)))
        );
    }

    /// A payer calls the contract during its donation, before the money has moved.
    function testAPayerCannotCallBack() public {
        (HookToken hooks, Caller caller) = useHooks();
        hooks.mint(address(caller), 100);
        caller.approve(hooks, address(escrow));
        bytes[3] memory calls = [
            abi.encodeCall(CampaignEscrow.donate, (10, STRANGER)),
            abi.encodeCall(CampaignEscrow.cancel, ()),
            abi.encodeCall(CampaignEscrow.activate, ())
        ];
        for (uint256 i = 0; i < calls.length; i++) {
            caller.plan(address(escrow), calls[i], false);
            caller.donate(escrow, 10);
            caller.assertRefused();
        }
        vm.assertEq(escrow.contributed(address(caller)), 30, "its own donations");
    }

    /// During its donation, a payer makes another donor's plain transfer happen.
    function testAPayerGetsNoCreditForOtherTransfers() public {
        (HookToken hooks, Caller caller) = useHooks();
        hooks.mint(address(caller), 10);
        caller.approve(hooks, address(escrow));
        caller.plan(address(hooks), abi.encodeCall(IToken.mint, (address(escrow), 500)), false);
        caller.donate(escrow, 10);
        vm.assertEq(escrow.contributed(address(caller)), 10, "its own donation");
        assertBooks(1000 * UNIT + 510);
    }

    /// A token with hooks, a recipient that calls back, and a donation of the whole target.
    function useHooks() internal returns (HookToken hooks, Caller caller) {
        hooks = new HookToken();
        caller = new Caller();
        caller.setHook(hooks);
        t.recipient = address(caller);
        t.creator = address(caller);
        useToken(address(hooks));
        donate(DONOR, 1000 * UNIT);
    }
}

/// An account whose hook makes a planned call.
contract Caller is IHook {
    address private target;
    bytes private data;
    bool private refuses;
    bool private called;
    bytes4 private refusal;
    CampaignEscrow private watched;
    bytes32 private transaction;
    uint256 public sawUnmarked;

    function plan(address target_, bytes calldata data_, bool refuses_) external {
        (target, data, refuses) = (target_, data_, refuses_);
        called = false;
    }

    /// Counts the hook calls in which a transfer is not marked as returned.
    function watch(CampaignEscrow escrow, bytes32 transaction_) external {
        (watched, transaction) = (escrow, transaction_);
    }

    function onTokens() external {
        require(!refuses, "refused");
        if (transaction != 0 && !watched.isReturned(transaction, 0)) sawUnmarked++;
        if (target == address(0)) return;
        called = true;
        (bool ok, bytes memory result) = target.call(data);
        refusal = ok ? bytes4(0) : bytes4(result);
    }

    function assertRefused() external view {
        require(called, "no call");
        require(
            refusal == ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector,
            "the call was not refused"
        );
    }

    function setHook(HookToken token) external {
        token.setHook(true);
    }

    function approve(HookToken token, address spender) external {
        token.approve(spender, type(uint256).max);
    }

    function donate(CampaignEscrow escrow, uint256 amount) external {
        escrow.donate(amount, address(this));
    }
}
