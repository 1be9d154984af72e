// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {EscrowSignatures} from "escrow/EscrowSignatures.sol";
import {Fixture} from "./Fixture.sol";
import {AnswerWallet, KeyWallet} from "./Wallets.sol";

/// Tests of verifiers that are contracts, and of accounts that have a key and code (EIP-7702).
contract SignersTest is Fixture {
    AnswerWallet private wallet;

    function setUp() public override {
        super.setUp();
        wallet = new AnswerWallet();
        t.verifiers = new address[](1);
        t.verifiers[0] = address(wallet);
        t.quorum = 1;
        t.required = [1, 1, 1];
        escrow = deploy(t);
        transfer(1000 * UNIT);
    }

    function testAWalletSigns() public {
        escrow.release(0, EVIDENCE, ALWAYS, one("anything"));
        escrow.release(1, EVIDENCE, ALWAYS, one(""));
        vm.assertEq(releasedMilestones(), 3, "both");
    }

    function testAWalletThatDoesNotSayYesDoesNotSign() public {
        for (uint256 answer = 1; answer <= 4; answer++) {
            wallet.setAnswer(AnswerWallet.Answer(answer));
            vm.expectRevert(wrongSigner(0));
            escrow.release{gas: 3_000_000}(0, EVIDENCE, ALWAYS, one("anything"));
        }
    }

    function testAWalletMayChangeItsMind() public {
        escrow.release(0, EVIDENCE, ALWAYS, one("anything"));
        wallet.setAnswer(AnswerWallet.Answer.No);
        vm.expectRevert(wrongSigner(0));
        escrow.release(1, EVIDENCE, ALWAYS, one("anything"));
    }

    function testAWalletCanRejectTerminateAndReturn() public {
        escrow.reject(0, EVIDENCE, one("")[0]);
        escrow.terminate(EVIDENCE, ALWAYS, one(""));
        escrow.returnTransfers(oneReturn(t.asset, DONOR, 5, 1), ALWAYS, one(""));
        vm.assertEq(balance(DONOR), 5, "returned");
    }

    function testAKeySignsAlsoAtAnAccountWithCode() public {
        useVerifier(keys[0]);
        // The account of the verifier delegates to a wallet that refuses everything. A signature by
        // the key still counts.
        wallet.setAnswer(AnswerWallet.Answer.No);
        delegate(verifiers[0], address(wallet));
        release(0);
    }

    function testTheCodeOfADelegatedAccountSigns() public {
        useVerifier(keys[0]);
        EscrowSignatures.Signature[] memory signed = new EscrowSignatures.Signature[](1);
        signed[0] = signature(0, FOREIGN_KEY, releaseDigest(0));
        vm.expectRevert(wrongSigner(0));
        escrow.release(0, EVIDENCE, ALWAYS, signed);
        delegate(verifiers[0], address(new KeyWallet(vm.addr(FOREIGN_KEY))));
        escrow.release(0, EVIDENCE, ALWAYS, signed);
    }

    function useVerifier(uint256 key) internal {
        t.verifiers[0] = vm.addr(key);
        escrow = deploy(t);
        transfer(1000 * UNIT);
    }

    function delegate(address account, address code) internal {
        vm.etch(account, abi.encodePacked(hex"ef0100", code));
    }

    function one(bytes memory data)
        internal pure returns (EscrowSignatures.Signature[] memory made)
    {
        made = new EscrowSignatures.Signature[](1);
        made[0] = EscrowSignatures.Signature(0, data);
    }
}
