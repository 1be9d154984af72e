// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {EscrowSignatures} from "escrow/EscrowSignatures.sol";
import {Fixture} from "./Fixture.sol";

/// The gas of whole transactions, with --isolate. The figures are compared with gas.json.
contract GasTest is Fixture {
    uint256 private constant DONOR_KEY = 0xD0;

    function testDeploy() public {
        t.campaign = keccak256("another");
        bytes memory packed = pack(t);
        factory.deploy(packed);
        snapshot("deploy");
        factory.deploy(packed);
        snapshot("deploy again");
    }

    function testDonate() public {
        approve(DONOR, 1000 * UNIT);
        vm.prank(DONOR);
        escrow.donate(10, DONOR);
        snapshot("donate, first of all");
        approve(OTHER_DONOR, 1000 * UNIT);
        vm.prank(OTHER_DONOR);
        escrow.donate(10, OTHER_DONOR);
        snapshot("donate, first of a donor");
        vm.prank(DONOR);
        escrow.donate(20, DONOR);
        snapshot("donate, again");
        vm.prank(DONOR);
        escrow.donate(970 * UNIT, DONOR);
        vm.prank(OTHER_DONOR);
        escrow.donate(40 * UNIT, OTHER_DONOR);
        snapshot("donate, reaches the target");
    }

    function testAuthorization() public {
        address signer = vm.addr(DONOR_KEY);
        token.mint(signer, 100);
        bytes memory signed = authorizationOf(DONOR_KEY, signer, 70, ALWAYS, 0);
        escrow.donateWithAuthorization(signer, signer, 70, ALWAYS, 0, signed);
        snapshot("donateWithAuthorization");
    }

    function testActivate() public {
        transfer(1000 * UNIT);
        escrow.activate();
        snapshot("activate");
    }

    function testRelease() public {
        donate(DONOR, 1000 * UNIT);
        EscrowSignatures.Signature[] memory one = signatures(1, releaseDigest(0));
        escrow.release(0, EVIDENCE, ALWAYS, one);
        snapshot("release, 1 signature");
        EscrowSignatures.Signature[] memory two = signatures(2, releaseDigest(1));
        escrow.release(1, EVIDENCE, ALWAYS, two);
        snapshot("release, 2 signatures");
        EscrowSignatures.Signature memory rejection = signatureOf(0, rejectDigest(2, 0));
        escrow.reject(2, EVIDENCE, rejection);
        snapshot("reject");
        EscrowSignatures.Signature[] memory three = signatures(3, releaseDigest(2));
        transfer(5);
        escrow.release(2, EVIDENCE, ALWAYS, three);
        snapshot("release, 3 signatures");
        escrow.releaseSurplus();
        snapshot("releaseSurplus");
    }

    function testClose() public {
        donate(DONOR, 100);
        vm.warp(t.activateBy + 1);
        escrow.close();
        snapshot("close");
    }

    function testTerminate() public {
        donate(DONOR, 100);
        EscrowSignatures.Signature[] memory signed = signatures(2, terminateDigest(EVIDENCE, ALWAYS));
        escrow.terminate(EVIDENCE, ALWAYS, signed);
        snapshot("terminate, 2 signatures");
    }

    function testRefunds() public {
        donate(DONOR, 100);
        donate(OTHER_DONOR, 50);
        transfer(60);
        cancel();
        snapshot("cancel");
        escrow.refund(DONOR);
        snapshot("refund, to an empty account");
        token.mint(OTHER_DONOR, 1);
        escrow.refund(OTHER_DONOR);
        snapshot("refund");

        CampaignEscrow.TransferReturn[] memory list = oneReturn(t.asset, STRANGER, 20, 1);
        EscrowSignatures.Signature[] memory signed = signatures(2, returnsDigest(list, ALWAYS));
        escrow.returnTransfers(list, ALWAYS, signed);
        snapshot("returnTransfers, 2 signatures, 1 to an empty account");
        list = new CampaignEscrow.TransferReturn[](11);
        for (uint256 i = 0; i < 11; i++) list[i] = oneReturn(t.asset, STRANGER, 3, 2 + i)[0];
        signed = signatures(2, returnsDigest(list, ALWAYS));
        escrow.returnTransfers(list, ALWAYS, signed);
        snapshot("returnTransfers, 2 signatures, 11");
    }

    function snapshot(string memory name) internal {
        vm.snapshotGasLastCall("escrow", name);
    }
}
