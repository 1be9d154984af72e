// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {Handler} from "./Handler.sol";
import {Vm} from "./Vm.sol";

/// The invariants of the escrow hold after each of many random calls and attacks.
contract InvariantsTest {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 private constant CALLS = 14;
    Handler private handler;

    function setUp() public {
        handler = new Handler();
        handler.setUp();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[] memory selectors = new bytes4[](14);
        selectors[0] = Handler.wait.selector;
        selectors[1] = Handler.deployCampaign.selector;
        selectors[2] = Handler.transferTo.selector;
        selectors[3] = Handler.donateTo.selector;
        selectors[4] = Handler.donateWithAuthorizationTo.selector;
        selectors[5] = Handler.activateIt.selector;
        selectors[6] = Handler.releaseIt.selector;
        selectors[7] = Handler.rejectIt.selector;
        selectors[8] = Handler.releaseSurplusOf.selector;
        selectors[9] = Handler.closeIt.selector;
        selectors[10] = Handler.cancelIt.selector;
        selectors[11] = Handler.terminateIt.selector;
        selectors[12] = Handler.refundTo.selector;
        selectors[13] = Handler.returnTransfersOf.selector;
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), selectors);
    }

    function invariantBooks() public view {
        handler.checkBook();
    }

    /// Writes the number of calls and successes of each kind, and of the ends that campaigns
    /// reached.
    function afterInvariant() public {
        handler.abandonAllBooks();
        string memory lines = "";
        for (uint256 i = 0; i < CALLS; i++) {
            Handler.Call call = Handler.Call(i);
            lines = string.concat(
                lines, vm.toString(handler.calls(call)), " ", vm.toString(handler.successes(call)), "\n"
            );
        }
        for (uint256 i = 0; i < 5; i++) {
            uint256 ends = handler.failures(CampaignEscrow.Reason(i));
            lines = string.concat(lines, "end ", vm.toString(ends), "\n");
        }
        lines = string.concat(lines, "completed ", vm.toString(handler.completed()), "\n");
        vm.writeFile("test/contracts/out/calls.txt", lines);
    }
}
