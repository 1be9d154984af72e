// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {EscrowSignatures} from "escrow/EscrowSignatures.sol";
import {Fixture} from "./Fixture.sol";
import {IToken} from "./Tokens.sol";

/// A recipient borrows the missing part of the target for one transaction. One small milestone is
/// signed.
contract LoanTest is Fixture {
    uint256 private constant DONATED = 3000 * UNIT;
    Borrower private borrower;

    function setUp() public override {
        super.setUp();
        borrower = new Borrower();
        (t.recipient, t.creator) = (address(borrower), address(borrower));
        t.target = uint128(20_000 * UNIT);
    }

    /// With one milestone of 1, the rest of the target would need no signatures, so such terms are
    /// invalid.
    function testALoanMovesNoMoneyWithoutSignatures() public {
        (t.amounts, t.required) = (new uint128[](1), new uint8[](1));
        (t.amounts[0], t.required[0]) = (uint128(UNIT), 1);
        try factory.deploy(pack(t)) returns (address made) {
            escrow = CampaignEscrow(made);
            attack();
        } catch {}
        t.amounts.push(t.target - uint128(UNIT));
        t.required.push(1);
        escrow = deploy(t);
        attack();
    }

    /// Donors lose at most their share of the signed milestone.
    function attack() internal {
        donate(DONOR, DONATED);
        EscrowSignatures.Signature[] memory signed = signatures(1, releaseDigest(0));
        uint256 share = uint256(t.amounts[0]) * DONATED / t.target;
        for (uint256 i = 0; i < 2; i++) {
            uint256 before = vm.snapshotState();
            uint256 loan = t.target - DONATED;
            token.mint(address(borrower), loan);
            try borrower.run(escrow, token, loan, i == 0, signed) {
                vm.assertTrue(balance(address(borrower)) <= share, "loot");
                escrow.refund(DONOR);
                vm.assertTrue(balance(DONOR) >= DONATED - share, "donor");
            } catch {
                // A plain transfer is not refunded, so the borrower cannot repay the loan.
                vm.assertTrue(i == 1, "a donation comes back");
            }
            vm.revertToState(before);
        }
    }
}

/// Pays the loan into the escrow, takes as much as possible, and repays the loan or reverts.
contract Borrower {
    function run(
        CampaignEscrow escrow,
        IToken token,
        uint256 loan,
        bool donates,
        EscrowSignatures.Signature[] calldata signed
    ) external {
        if (donates) {
            token.approve(address(escrow), loan);
            escrow.donate(loan, address(this));
        } else {
            token.transfer(address(escrow), loan);
        }
        escrow.release(0, keccak256("evidence"), type(uint256).max, signed);
        try escrow.releaseSurplus() {} catch {}
        try escrow.cancel() {} catch {}
        try escrow.close() {} catch {}
        try escrow.refund(address(this)) returns (uint256) {} catch {}
        token.transfer(address(0x1E4DE4), loan);
    }
}
