// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {EscrowSignatures} from "escrow/EscrowSignatures.sol";
import {Fixture} from "./Fixture.sol";

/// Tests of releases, rounds, replays and times.
contract ReleaseTest is Fixture {
    function setUp() public override {
        super.setUp();
        donate(DONOR, 600 * UNIT);
        transfer(400 * UNIT);
    }

    function testPaysExactlyTheMilestoneToTheRecipient() public {
        EscrowSignatures.Signature[] memory signed = signatures(2, releaseDigest(1));
        escrow.activate();
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.MilestoneReleased(1, RECIPIENT, t.asset, 300 * UNIT, EVIDENCE, 3);
        vm.prank(STRANGER);
        escrow.release(1, EVIDENCE, ALWAYS, signed);
        vm.assertEq(balance(RECIPIENT), 300 * UNIT, "recipient");
        vm.assertEq(escrow.released(), 300 * UNIT, "released");
        vm.assertEq(releasedMilestones(), 2, "bitmap");
        assertBooks(1000 * UNIT);
    }

    function testNeedsTheSignaturesOfTheMilestone() public {
        for (uint256 count = 0; count < 2; count++) {
            EscrowSignatures.Signature[] memory few = signatures(count, releaseDigest(1));
            expectMissing(2);
            escrow.release(1, EVIDENCE, ALWAYS, few);
        }
        // More signatures than required are accepted if all of them are valid.
        EscrowSignatures.Signature[] memory all = signatures(3, releaseDigest(1));
        escrow.release(1, EVIDENCE, ALWAYS, all);
        all = signatures(3, releaseDigest(2));
        all[2].data[0] ^= 0x01;
        refusesSigners(2, 2, all);
    }

    function testAnyVerifiersCount() public {
        EscrowSignatures.Signature[] memory signed = new EscrowSignatures.Signature[](2);
        signed[0] = signatureOf(0, releaseDigest(1));
        signed[1] = signatureOf(2, releaseDigest(1));
        escrow.activate();
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.MilestoneReleased(1, RECIPIENT, t.asset, 300 * UNIT, EVIDENCE, 5);
        escrow.release(1, EVIDENCE, ALWAYS, signed);
    }

    function testRefusesSignersInTheWrongOrder() public {
        EscrowSignatures.Signature[] memory signed = signatures(2, releaseDigest(1));
        (signed[0], signed[1]) = (signed[1], signed[0]);
        refusesSigners(1, 1, signed);
    }

    function testRefusesAVerifierTwice() public {
        EscrowSignatures.Signature[] memory signed = signatures(2, releaseDigest(1));
        signed[1] = signed[0];
        refusesSigners(1, 1, signed);
    }

    function testRefusesAForeignKey() public {
        EscrowSignatures.Signature[] memory signed = signatures(1, releaseDigest(0));
        signed[0] = signature(0, FOREIGN_KEY, releaseDigest(0));
        refusesSigners(0, 0, signed);
        // A verifier's key with the index of another verifier.
        signed[0] = signature(0, keys[1], releaseDigest(0));
        refusesSigners(0, 0, signed);
        signed[0] = signature(3, FOREIGN_KEY, releaseDigest(0));
        refusesSigners(0, 0, signed);
        signed[0] = signature(255, keys[0], releaseDigest(0));
        refusesSigners(0, 0, signed);
    }

    function testRefusesSignaturesOfAnotherForm() public {
        EscrowSignatures.Signature[] memory signed = signatures(1, releaseDigest(0));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keys[0], releaseDigest(0));
        signed[0].data = "";
        refusesSigners(0, 0, signed);
        // A compact signature (EIP-2098).
        signed[0].data = abi.encodePacked(r, uint256(s) | (uint256(v - 27) << 255));
        refusesSigners(0, 0, signed);
        // The second valid signature of the same key, with a high s.
        uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        signed[0].data = abi.encodePacked(r, order - uint256(s), v == 27 ? 28 : 27);
        refusesSigners(0, 0, signed);
        signed[0].data = abi.encodePacked(r, s, v, uint8(0));
        refusesSigners(0, 0, signed);
        // A signature with an invalid v recovers to the address 0, which is no verifier.
        signed[0].data = abi.encodePacked(r, s, uint8(0));
        refusesSigners(0, 0, signed);
    }

    function testRefusesASignatureForAnotherEscrow() public {
        EscrowSignatures.Signature[] memory signed = signatures(1, releaseDigest(0));
        t.expiry += 1;
        CampaignEscrow other = deploy(t);
        token.mint(address(other), 1000 * UNIT);
        vm.expectRevert(wrongSigner(0));
        other.release(0, EVIDENCE, ALWAYS, signed);
    }

    function testRefusesASignatureForAnotherChain() public {
        EscrowSignatures.Signature[] memory signed = signatures(1, releaseDigest(0));
        vm.chainId(block.chainid + 1);
        refusesSigners(0, 0, signed);
    }

    function testRefusesASignatureForAnotherMessage() public {
        EscrowSignatures.Signature[] memory signed = signatures(3, releaseDigest(0));
        refusesSigners(1, 0, signed);
        vm.expectRevert(wrongSigner(0));
        escrow.release(0, keccak256("other evidence"), ALWAYS, signed);
        vm.expectRevert(wrongSigner(0));
        escrow.release(0, EVIDENCE, ALWAYS - 1, signed);
        signed = signatures(1, digest(releaseMessage(0, 1, ALWAYS)));
        refusesSigners(0, 0, signed);
    }

    function testReleasesAMilestoneOnce() public {
        EscrowSignatures.Signature[] memory signed = signatures(1, releaseDigest(0));
        escrow.release(0, EVIDENCE, ALWAYS, signed);
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        escrow.release(0, EVIDENCE, ALWAYS, signed);
        vm.assertEq(balance(RECIPIENT), 400 * UNIT, "paid once");
    }

    function testRefusesAMilestoneThatDoesNotExist() public {
        uint256[3] memory unknown = [uint256(3), 256, type(uint256).max];
        for (uint256 i = 0; i < 3; i++) {
            vm.expectRevert(CampaignEscrow.NothingDue.selector);
            escrow.release(unknown[i], EVIDENCE, ALWAYS, new EscrowSignatures.Signature[](0));
        }
    }

    function testReleasesInAnyOrderAndEndsWithTheLast() public {
        release(2);
        release(0);
        assertState(CampaignEscrow.State.Active);
        release(1);
        assertState(CampaignEscrow.State.Done);
        vm.assertEq(balance(RECIPIENT), 1000 * UNIT, "all");
    }

    function testSignaturesAreValidUntilTheirTime() public {
        uint256 until = vm.getBlockTimestamp() + 60;
        EscrowSignatures.Signature[] memory signed = signatures(1, digest(releaseMessage(0, 0, until)));
        vm.warp(until + 1);
        escrow.activate();
        vm.expectRevert(CampaignEscrow.WrongTime.selector);
        escrow.release(0, EVIDENCE, until, signed);
        vm.warp(until);
        escrow.release(0, EVIDENCE, until, signed);
    }

    function testRejectionEndsTheRound() public {
        EscrowSignatures.Signature[] memory approved = signatures(1, releaseDigest(0));
        EscrowSignatures.Signature memory rejected = signatureOf(2, rejectDigest(0, 0));
        vm.expectEmit(address(escrow));
        emit CampaignEscrow.MilestoneRejected(0, 0, verifiers[2], EVIDENCE);
        vm.prank(STRANGER);
        escrow.reject(0, EVIDENCE, rejected);
        vm.assertEq(escrow.round(0), 1, "round");
        refusesSigners(0, 0, approved);
        vm.expectRevert(wrongSigner(0));
        escrow.reject(0, EVIDENCE, rejected);
        release(0);
        vm.assertEq(escrow.round(1), 0, "other milestones keep their round");
    }

    function testRefusesRejectionsThatNoVerifierSigned() public {
        EscrowSignatures.Signature memory forged = signature(0, FOREIGN_KEY, rejectDigest(0, 0));
        // The third signature is an approval, which does not count as a rejection.
        EscrowSignatures.Signature[3] memory wrong =
            [forged, signature(3, keys[0], rejectDigest(0, 0)), signatureOf(0, releaseDigest(0))];
        for (uint256 i = 0; i < 3; i++) {
            vm.expectRevert(wrongSigner(0));
            escrow.reject(0, EVIDENCE, wrong[i]);
        }
    }

    function testRefusesRejectionsOfReleasedOrUnknownMilestones() public {
        release(0);
        EscrowSignatures.Signature memory signed = signatureOf(0, rejectDigest(0, 0));
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        escrow.reject(0, EVIDENCE, signed);
        vm.expectRevert(CampaignEscrow.NothingDue.selector);
        escrow.reject(3, EVIDENCE, signed);
        cancel();
        signed = signatureOf(0, rejectDigest(1, 0));
        vm.expectRevert(wrongState(CampaignEscrow.State.Failed));
        escrow.reject(1, EVIDENCE, signed);
    }

    function testReleasesUntilTheExpiry() public {
        escrow.activate();
        vm.warp(t.expiry);
        release(0);
        vm.expectRevert(CampaignEscrow.WrongTime.selector);
        escrow.close();
        vm.warp(t.expiry + 1);
        EscrowSignatures.Signature[] memory signed = signatures(3, releaseDigest(1));
        vm.expectRevert(CampaignEscrow.WrongTime.selector);
        escrow.release(1, EVIDENCE, ALWAYS, signed);
        escrow.close();
        vm.expectRevert(wrongState(CampaignEscrow.State.Failed));
        escrow.release(1, EVIDENCE, ALWAYS, signed);
    }

    function testTwoReleasesInOneBlock() public {
        release(0);
        release(1);
        vm.assertEq(balance(RECIPIENT), 700 * UNIT, "both");
        assertBooks(1000 * UNIT);
    }

    function testReleaseBeforeAndAfterATermination() public {
        release(0);
        EscrowSignatures.Signature[] memory signed = signatures(2, releaseDigest(1));
        escrow.terminate(EVIDENCE, ALWAYS, signatures(2, terminateDigest(EVIDENCE, ALWAYS)));
        vm.expectRevert(wrongState(CampaignEscrow.State.Failed));
        escrow.release(1, EVIDENCE, ALWAYS, signed);
        vm.assertEq(escrow.released(), 400 * UNIT, "released");
    }

    function testRefusesAReleaseBelowTheTarget() public {
        deployAnother();
        donate(DONOR, 999 * UNIT);
        refusesRelease(0, wrongState(CampaignEscrow.State.Funding));
    }

    function testTypedDataDomainIsPublic() public view {
        (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        ) = escrow.eip712Domain();
        vm.assertTrue(fields == 0x0f && salt == 0 && extensions.length == 0, "fields");
        vm.assertEq(bytes(name), "Fundproof Escrow", "name");
        vm.assertEq(bytes(version), "1", "version");
        vm.assertEq(chainId, block.chainid, "chain");
        vm.assertEq(verifyingContract, address(escrow), "contract");
    }

    function refusesSigners(
        uint256 milestone,
        uint256 position,
        EscrowSignatures.Signature[] memory signed
    ) internal {
        vm.expectRevert(wrongSigner(position));
        escrow.release(milestone, EVIDENCE, ALWAYS, signed);
    }
}
