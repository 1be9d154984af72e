// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {EscrowSignatures} from "escrow/EscrowSignatures.sol";
import {Fixture} from "./Fixture.sol";
import {BlacklistToken, IToken, TwoAddressToken} from "./Tokens.sol";
import {Force, NoCoin} from "./Wallets.sol";

/// Cases 17 and 20 to 23: roots, claims, other assets and the native coin.
contract RootsTest is Fixture {
    bytes32 private constant ROOT = keccak256("root");

    function testClaimsAfterTheWindow() public {
        transfer(50);
        cancel();
        bytes32 root = leaf(address(token), DONOR, 50);
        EscrowSignatures.Signature[] memory signed = signatures(2, rootDigest(0, root, EVIDENCE));
        uint256 readyAt = vm.getBlockTimestamp() + t.challenge;
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.RootProposed(0, root, EVIDENCE, readyAt);
        vm.prank(STRANGER);
        escrow.proposeRoot(root, EVIDENCE, signed);
        assertRoots(0, root);
        vm.warp(readyAt - 1);
        vm.expectRevert(CampaignEscrow.InvalidProof.selector);
        claim(address(token), DONOR, 50);
        vm.warp(readyAt);
        assertRoots(root, 0);
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.Refunded(DONOR, address(token), 50, false);
        vm.prank(STRANGER);
        claim(address(token), DONOR, 50);
        vm.assertEq(balance(DONOR), 50, "paid");
        vm.assertEq(escrow.claimed(address(token), DONOR), 50, "claimed");
        vm.assertEq(escrow.refunded(), 50, "refunded");
        assertBooks(50);
    }

    function testClaimsOnceAndWithTheRightLeaf() public {
        transfer(50);
        cancel();
        acceptLeaf(address(token), DONOR, 20);
        vm.expectRevert(CampaignEscrow.InvalidProof.selector);
        claim(address(token), DONOR, 21);
        vm.expectRevert(CampaignEscrow.InvalidProof.selector);
        claim(address(token), OTHER_DONOR, 20);
        vm.expectRevert(CampaignEscrow.InvalidProof.selector);
        claim(address(0), DONOR, 20);
        claim(address(token), DONOR, 20);
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        claim(address(token), DONOR, 20);
    }

    function testLaterRootsPayTheDifference() public {
        transfer(50);
        cancel();
        acceptLeaf(address(token), DONOR, 20);
        claim(address(token), DONOR, 20);
        acceptLeaf(address(token), DONOR, 35);
        claim(address(token), DONOR, 35);
        vm.assertEq(balance(DONOR), 35, "both");
        acceptLeaf(address(token), DONOR, 34);
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        claim(address(token), DONOR, 34);
        assertBooks(50);
    }

    function testProofsOfALargeTree() public {
        transfer(50);
        cancel();
        (bytes32 root, bytes32[] memory proof) = treeOf(leaf(address(token), DONOR, 50), 16);
        proposeRoot(root);
        skip(t.challenge);
        bytes32[] memory wrong = new bytes32[](15);
        for (uint256 i = 0; i < 15; i++) wrong[i] = proof[i];
        vm.expectRevert(CampaignEscrow.InvalidProof.selector);
        escrow.claim(address(token), DONOR, 50, wrong);
        vm.assertEq(escrow.claim(address(token), DONOR, 50, proof), 50, "paid");
    }

    function testAnInnerNodeIsNoLeaf() public {
        transfer(50);
        cancel();
        // A leaf is hashed twice, so the preimage of an inner node is not a leaf.
        proposeRoot(keccak256(abi.encode(address(token), DONOR, uint256(50))));
        skip(t.challenge);
        vm.expectRevert(CampaignEscrow.InvalidProof.selector);
        claim(address(token), DONOR, 50);
    }

    function testNoRootBeforeTheEnd() public {
        EscrowSignatures.Signature[] memory signed = signatures(2, rootDigest(0, ROOT, EVIDENCE));
        vm.expectRevert(wrongState(CampaignEscrow.State.Funding));
        escrow.proposeRoot(ROOT, EVIDENCE, signed);
        transfer(1000 * UNIT);
        release(0);
        vm.expectRevert(wrongState(CampaignEscrow.State.Active));
        escrow.proposeRoot(ROOT, EVIDENCE, signed);
        vm.expectRevert(wrongState(CampaignEscrow.State.Active));
        claim(address(token), DONOR, 1);
        vm.expectRevert(wrongState(CampaignEscrow.State.Active));
        claim(address(0), DONOR, 1);
        EscrowSignatures.Signature memory veto = signatureOf(0, vetoDigest(0, 0));
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        escrow.vetoRoot(veto);
    }

    function testARootNeedsTheQuorum() public {
        cancel();
        EscrowSignatures.Signature[] memory signed = signatures(1, rootDigest(0, ROOT, EVIDENCE));
        vm.expectRevert(
            abi.encodeWithSelector(EscrowSignatures.MissingSignatures.selector, uint256(2))
        );
        escrow.proposeRoot(ROOT, EVIDENCE, signed);
        signed = signatures(2, rootDigest(0, ROOT, EVIDENCE));
        vm.expectRevert(wrongSigner(0));
        escrow.proposeRoot(ROOT, ROOT, signed);
        signed[1] = signature(1, FOREIGN_KEY, rootDigest(0, ROOT, EVIDENCE));
        vm.expectRevert(wrongSigner(1));
        escrow.proposeRoot(ROOT, EVIDENCE, signed);
        signed = signatures(2, rootDigest(0, 0, EVIDENCE));
        vm.expectRevert(CampaignEscrow.InvalidProof.selector);
        escrow.proposeRoot(0, EVIDENCE, signed);
    }

    function testAProposalIsSignedForItsIndex() public {
        cancel();
        EscrowSignatures.Signature[] memory signed = signatures(2, rootDigest(0, ROOT, EVIDENCE));
        escrow.proposeRoot(ROOT, EVIDENCE, signed);
        vm.assertEq(escrow.rootIndex(), 1, "index");
        vm.expectRevert(wrongSigner(0));
        escrow.proposeRoot(ROOT, EVIDENCE, signed);
    }

    function testAProposalReplacesARootThatIsNotReady() public {
        cancel();
        proposeRoot(ROOT);
        skip(t.challenge - 1);
        proposeRoot(EVIDENCE);
        assertRoots(0, EVIDENCE);
        skip(1);
        assertRoots(0, EVIDENCE);
        skip(t.challenge - 1);
        assertRoots(EVIDENCE, 0);
        // A root in force stays in force until the next one is ready.
        proposeRoot(ROOT);
        assertRoots(EVIDENCE, ROOT);
        proposeRoot(bytes32(uint256(7)));
        assertRoots(EVIDENCE, bytes32(uint256(7)));
        skip(t.challenge);
        assertRoots(bytes32(uint256(7)), 0);
    }

    function testAVetoRemovesTheRootThatWaits() public {
        cancel();
        proposeRoot(ROOT);
        EscrowSignatures.Signature memory veto = signatureOf(2, vetoDigest(0, ROOT));
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.RootVetoed(0, ROOT, verifiers[2]);
        vm.prank(STRANGER);
        escrow.vetoRoot(veto);
        assertRoots(0, 0);
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        escrow.vetoRoot(veto);
        skip(t.challenge);
        assertRoots(0, 0);
    }

    /// The quorum cannot use up the veto of another verifier.
    function testEachVerifierVetoesARootOnce() public {
        cancel();
        for (uint256 i = 0; i < 3; i++) {
            proposeRoot(ROOT);
            for (uint256 j = 0; j < i; j++) refusesVeto(j, i);
            escrow.vetoRoot(signatureOf(i, vetoDigest(i, ROOT)));
            assertRoots(0, 0);
        }
        proposeRoot(ROOT);
        for (uint256 i = 0; i < 3; i++) refusesVeto(i, 3);
        // Vetoes of one root do not count for another root.
        proposeRoot(EVIDENCE);
        escrow.vetoRoot(signatureOf(0, vetoDigest(4, EVIDENCE)));
        proposeRoot(ROOT);
        skip(t.challenge);
        assertRoots(ROOT, 0);
    }

    function refusesVeto(uint256 verifier, uint256 index) internal {
        EscrowSignatures.Signature memory veto = signatureOf(verifier, vetoDigest(index, ROOT));
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        escrow.vetoRoot(veto);
    }

    function testAVetoKeepsTheRootInForce() public {
        cancel();
        proposeRoot(EVIDENCE);
        skip(t.challenge);
        proposeRoot(ROOT);
        escrow.vetoRoot(signatureOf(0, vetoDigest(1, ROOT)));
        assertRoots(EVIDENCE, 0);
        skip(10 * t.challenge);
        assertRoots(EVIDENCE, 0);
    }

    function testAVetoNeedsAVerifierAndTheWindow() public {
        cancel();
        proposeRoot(ROOT);
        EscrowSignatures.Signature memory veto = signature(0, FOREIGN_KEY, vetoDigest(0, ROOT));
        vm.expectRevert(wrongSigner(0));
        escrow.vetoRoot(veto);
        veto = signatureOf(0, vetoDigest(1, ROOT));
        vm.expectRevert(wrongSigner(0));
        escrow.vetoRoot(veto);
        veto = signatureOf(0, vetoDigest(0, ROOT));
        skip(t.challenge);
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        escrow.vetoRoot(veto);
    }

    function testNoRootTakesFromRecordedDonors() public {
        donate(DONOR, 40);
        transfer(60);
        cancel();
        acceptLeaf(address(token), STRANGER, 61);
        vm.expectRevert(CampaignEscrow.ReservedForDonors.selector);
        claim(address(token), STRANGER, 61);
        acceptLeaf(address(token), STRANGER, 60);
        claim(address(token), STRANGER, 60);
        vm.assertEq(escrow.refund(DONOR), 40, "the recorded donor");
        assertBooks(100);
    }

    function testNoRootTakesFromRecordedDonorsAfterTheirRefund() public {
        donate(DONOR, 40);
        donate(OTHER_DONOR, 40);
        cancel();
        escrow.refund(DONOR);
        acceptLeaf(address(token), STRANGER, 1);
        vm.expectRevert(CampaignEscrow.ReservedForDonors.selector);
        claim(address(token), STRANGER, 1);
        vm.assertEq(escrow.refund(OTHER_DONOR), 40, "the other donor");
    }

    function testNoRootTakesTheSurplus() public {
        t.surplus = 0;
        escrow = deploy(t);
        donate(DONOR, 1100 * UNIT);
        for (uint256 i = 0; i < 3; i++) release(i);
        acceptLeaf(address(token), STRANGER, 100 * UNIT);
        vm.expectRevert(wrongState(CampaignEscrow.State.Done));
        claim(address(token), STRANGER, 100 * UNIT);
        escrow.close();
        vm.expectRevert(CampaignEscrow.ReservedForDonors.selector);
        claim(address(token), STRANGER, 100 * UNIT);
        vm.assertEq(escrow.refund(DONOR), 100 * UNIT, "the donor");
    }

    function testNoRootPaysTheEscrowItself() public {
        transfer(60);
        cancel();
        acceptLeaf(address(token), address(escrow), 60);
        vm.expectRevert(CampaignEscrow.WrongCaller.selector);
        claim(address(token), address(escrow), 60);
        assertBooks(60);
    }

    function testLateTransfersBelongToTheNextRoot() public {
        donate(DONOR, 40);
        cancel();
        transfer(9);
        acceptLeaf(address(token), OTHER_DONOR, 9);
        claim(address(token), OTHER_DONOR, 9);
        vm.assertEq(escrow.refund(DONOR), 40, "the donor");
        assertBooks(49);
    }

    function testOtherAssetsGoBackAfterAFailureAndAfterTheEnd() public {
        IToken other = IToken(vm.deployCode(string.concat(FOLDER, "TestToken.json")));
        other.mint(address(escrow), 30);
        cancel();
        other.mint(address(escrow), 5);
        acceptLeaf(address(other), DONOR, 35);
        claim(address(other), DONOR, 35);
        vm.assertEq(other.balanceOf(DONOR), 35, "after a failure");
        vm.assertEq(escrow.refunded(), 0, "another asset");
        assertBooks(0);

        t.campaign = keccak256("another");
        escrow = deploy(t);
        transfer(1000 * UNIT);
        for (uint256 i = 0; i < 3; i++) release(i);
        other.mint(address(escrow), 8);
        acceptLeaf(address(other), DONOR, 8);
        claim(address(other), DONOR, 8);
        vm.assertEq(other.balanceOf(DONOR), 43, "after the end");
    }

    /// The escrow has the same address on each chain, and donors send tokens on the wrong one.
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
        escrow.donateWithAuthorization(DONOR, DONOR, 1, type(uint256).max, 0, "");
        vm.warp(t.activateBy + 1);
        escrow.close();
        acceptLeaf(address(other), DONOR, 500);
        claim(address(other), DONOR, 500);
        vm.assertEq(other.balanceOf(DONOR), 500, "back");
        vm.assertEq(escrow.received(), 0, "nothing in the asset of the terms");
    }

    function testForcedNativeCoinsGoBack() public {
        vm.deal(address(this), 3);
        new Force{value: 3}(payable(address(escrow)));
        vm.assertEq(address(escrow).balance, 3, "forced");
        transfer(1000 * UNIT - 1);
        vm.expectRevert(CampaignEscrow.WrongAmount.selector);
        escrow.activate();
        cancel();
        acceptLeaf(address(0), DONOR, 3);
        claim(address(0), DONOR, 3);
        vm.assertEq(DONOR.balance, 3, "back");
        vm.assertEq(escrow.claimed(address(0), DONOR), 3, "claimed");
    }

    function testMinedNativeCoinsChangeNothing() public {
        vm.deal(address(escrow), 1 ether);
        assertBooks(0);
        donate(DONOR, 5);
        cancel();
        vm.assertEq(escrow.refund(DONOR), 5, "share");
    }

    function testADonorThatRefusesTheNativeCoinBlocksOnlyItself() public {
        vm.deal(address(escrow), 6);
        cancel();
        address refusing = address(new NoCoin());
        bytes32 one = leaf(address(0), refusing, 3);
        bytes32 two = leaf(address(0), DONOR, 3);
        (bytes32 low, bytes32 high) = one < two ? (one, two) : (two, one);
        proposeRoot(keccak256(abi.encodePacked(low, high)));
        skip(t.challenge);
        bytes32[] memory proof = new bytes32[](1);
        proof[0] = two;
        vm.expectRevert();
        escrow.claim(address(0), refusing, 3, proof);
        proof[0] = one;
        vm.assertEq(escrow.claim(address(0), DONOR, 3, proof), 3, "the other donor");
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
        acceptLeaf(address(two.other()), STRANGER, 10);
        address other = address(two.other());
        vm.expectRevert(CampaignEscrow.ReservedForDonors.selector);
        claim(other, STRANGER, 10);
        assertBooks(100);
    }

    /// A tree of 2^depth leaves of which only `first` is known.
    function treeOf(bytes32 first, uint256 depth)
        internal
        pure
        returns (bytes32 root, bytes32[] memory proof)
    {
        root = first;
        proof = new bytes32[](depth);
        for (uint256 i = 0; i < depth; i++) {
            proof[i] = keccak256(abi.encode("node", i));
            root = root < proof[i]
                ? keccak256(abi.encodePacked(root, proof[i]))
                : keccak256(abi.encodePacked(proof[i], root));
        }
    }

    function assertRoots(bytes32 accepted, bytes32 waiting) internal view {
        vm.assertEq(escrow.root(), accepted, "root");
        (bytes32 pending, uint256 readyAt) = escrow.pendingRoot();
        vm.assertEq(pending, waiting, "pending root");
        vm.assertTrue((readyAt == 0) == (waiting == 0), "time");
    }
}
