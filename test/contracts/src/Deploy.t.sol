// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {CampaignEscrowFactory} from "escrow/CampaignEscrowFactory.sol";
import {Fixture, Terms} from "./Fixture.sol";
import {IToken} from "./Tokens.sol";
import {Vm} from "./Vm.sol";

/// Tests of addresses, of money that comes before the code, and of invalid terms.
contract DeployTest is Fixture {
    function testFactoryHasTheStoredAddressesAndCode() public view {
        string memory facts = vm.readFile(string.concat(FOLDER, "escrow/deployment.json"));
        address implementation = factory.implementation();
        vm.assertEq(address(factory), vm.parseJsonAddress(facts, ".factory"), "factory");
        vm.assertEq(implementation, vm.parseJsonAddress(facts, ".implementation"), "escrow");
        bytes32 factoryHash = vm.parseJsonBytes32(facts, ".factoryCodeHash");
        vm.assertEq(address(factory).codehash, factoryHash, "factory code");
        bytes32 escrowHash = vm.parseJsonBytes32(facts, ".implementationCodeHash");
        vm.assertEq(implementation.codehash, escrowHash, "escrow code");
    }

    function testEscrowIsAtThePredictedAddressWithItsTerms() public view {
        vm.assertEq(address(escrow), factory.predict(pack(t)), "address");
        bytes memory code = abi.encodePacked(
            hex"363d3d373d3d3d363d73",
            factory.implementation(),
            hex"5af43d82803e903d91602b57fd5bf3",
            pack(t)
        );
        vm.assertEq(address(escrow).code, code, "code");
        vm.assertEq(escrow.terms(), pack(t), "terms");
    }

    function testDeploymentEmitsTheTerms() public {
        t.campaign = keccak256("another");
        address predicted = factory.predict(pack(t));
        vm.expectEmit(address(factory));
        emit CampaignEscrowFactory.EscrowDeployed(predicted, t.campaign, pack(t));
        deploy(t);
    }

    function testAnyAccountMayDeployAgainWithoutAnyChange() public {
        donate(DONOR, 7);
        vm.recordLogs();
        vm.prank(STRANGER);
        vm.assertEq(factory.deploy(pack(t)), address(escrow), "same address");
        vm.assertEq(vm.getRecordedLogs().length, 0, "no event");
        vm.assertEq(escrow.contributed(DONOR), 7, "same books");
    }

    function testOpensOnce() public {
        assertState(CampaignEscrow.State.Funding);
        vm.expectRevert(wrongState(CampaignEscrow.State.Funding));
        escrow.open();
        cancel();
        vm.expectRevert(wrongState(CampaignEscrow.State.Failed));
        vm.prank(address(factory));
        escrow.open();
    }

    function testEachFieldOfTheTermsMovesTheAddress() public view {
        bytes memory packed = pack(t);
        uint256 moved = 0;
        for (uint256 i = 0; i < packed.length; i++) {
            packed[i] ^= 0x01;
            bool isMoved = factory.check(packed) == 0;
            if (isMoved) {
                vm.assertTrue(factory.predict(packed) != address(escrow), "another address");
                moved++;
            }
            packed[i] ^= 0x01;
        }
        vm.assertTrue(moved > 150, "most bytes");
    }

    /// The factory predicts no address for invalid terms, because money at that address would be
    /// lost.
    function testPredictsNoAddressForInvalidTerms() public {
        t.surplus = 2;
        bytes memory packed = pack(t);
        vm.expectRevert(invalidTerms(8));
        factory.predict(packed);
        vm.expectRevert(invalidTerms(1));
        factory.predict("");
    }

    function testMoneyMayArriveBeforeTheCode() public {
        t.campaign = keccak256("another");
        address predicted = factory.predict(pack(t));
        token.mint(predicted, 1000 * UNIT);
        vm.deal(STRANGER, 5);
        vm.prank(STRANGER);
        (bool ok,) = predicted.call{value: 5}("");
        vm.assertTrue(ok, "an address without code takes the native coin");
        escrow = deploy(t);
        vm.assertEq(predicted.balance, 5, "native coin");
        escrow.activate();
        release(0);
        assertBooks(1000 * UNIT);
        cancel();
        payBack(address(0), STRANGER, 5, 1);
        vm.assertEq(STRANGER.balance, 5, "the native coin is back");
    }

    function testRefusesTheNativeCoin() public {
        vm.deal(DONOR, 1);
        vm.prank(DONOR);
        (bool ok,) = address(escrow).call{value: 1}("");
        vm.assertTrue(!ok, "no receive function");
    }

    function testDonateWithoutCodeDoesNothing() public {
        t.campaign = keccak256("another");
        address predicted = factory.predict(pack(t));
        token.mint(DONOR, 10);
        vm.prank(DONOR);
        token.approve(predicted, 10);
        bytes memory call = abi.encodeCall(CampaignEscrow.donate, (10, DONOR));
        vm.prank(DONOR);
        (bool ok,) = predicted.call(call);
        vm.assertTrue(ok, "a call to no code succeeds");
        vm.assertEq(balance(DONOR), 10, "nothing moved");
        // Without code, a donation does nothing. So a batch that donates must begin with the
        // deployment.
        escrow = deploy(t);
        vm.prank(DONOR);
        (ok,) = predicted.call(call);
        vm.assertTrue(ok, "donated");
        vm.assertEq(escrow.contributed(DONOR), 10, "recorded");
    }

    function testImplementationHasNoTermsAndRefusesCalls() public {
        CampaignEscrow made = CampaignEscrow(factory.implementation());
        vm.expectRevert(CampaignEscrow.WrongCaller.selector);
        made.terms();
        vm.expectRevert(CampaignEscrow.WrongCaller.selector);
        made.open();
        vm.expectRevert(CampaignEscrow.WrongCaller.selector);
        made.activate();
        vm.expectRevert(CampaignEscrow.WrongCaller.selector);
        made.donate(1, DONOR);
        vm.expectRevert(CampaignEscrow.WrongCaller.selector);
        made.close();
    }

    function testValidTermsBreakNoRule() public view {
        vm.assertEq(factory.check(pack(t)), 0, "default");
        vm.assertEq(factory.check(pack(largestTerms())), 0, "largest");
    }

    function testLargestTermsCanBeDeployed() public {
        Terms memory made = largestTerms();
        vm.assertEq(deploy(made).terms(), pack(made), "terms");
    }

    function testRule1Length() public {
        refuses(1, "");
        refuses(1, new bytes(126));
        refuses(1, bytes.concat(pack(t), hex"00"));
        bytes memory short = pack(t);
        assembly {
            mstore(short, sub(mload(short), 1))
        }
        refuses(1, short);
        // The largest possible counts are refused without an overflow.
        bytes memory counts = new bytes(127);
        counts[125] = 0xff;
        counts[126] = 0xff;
        refuses(1, counts);
        refuses(1, new bytes(30_000));
    }

    function testRule2Campaign() public {
        t.campaign = 0;
        refuses(2, pack(t));
    }

    function testRule3Accounts() public {
        Terms memory made = defaultTerms();
        made.recipient = address(0);
        refuses(3, pack(made));
        made.recipient = made.asset;
        refuses(3, pack(made));
        made = defaultTerms();
        made.creator = address(0);
        refuses(3, pack(made));
        made = defaultTerms();
        made.asset = address(0);
        refuses(3, pack(made));
    }

    function testRule4Target() public {
        t.target = 0;
        refuses(4, pack(t));
    }

    function testRules5To7Times() public {
        Terms memory made = defaultTerms();
        made.deadline = 0;
        refuses(5, pack(made));
        made = defaultTerms();
        made.activateBy = made.deadline - 1;
        refuses(6, pack(made));
        made.activateBy = made.deadline;
        vm.assertEq(factory.check(pack(made)), 0, "activateBy may be the deadline");
        made.expiry = made.activateBy - 1;
        refuses(7, pack(made));
        made.expiry = made.activateBy;
        vm.assertEq(factory.check(pack(made)), 0, "expiry may be activateBy");
    }

    function testRule8Surplus() public {
        t.surplus = 2;
        refuses(8, pack(t));
        t.surplus = 0;
        vm.assertEq(factory.check(pack(t)), 0, "to the donors");
    }

    function testRules9To11Verifiers() public {
        Terms memory made = defaultTerms();
        made.verifiers = new address[](0);
        refuses(9, pack(made));
        made.verifiers = rising(17);
        refuses(9, pack(made));
        made = defaultTerms();
        made.verifiers[0] = address(0);
        refuses(10, pack(made));
        made = defaultTerms();
        made.verifiers[1] = made.verifiers[0];
        refuses(10, pack(made));
        made = defaultTerms();
        (made.verifiers[1], made.verifiers[2]) = (made.verifiers[2], made.verifiers[1]);
        refuses(10, pack(made));
        made = defaultTerms();
        made.quorum = 0;
        refuses(11, pack(made));
        made.quorum = 4;
        refuses(11, pack(made));
    }

    /// The quorum is a majority, so any two quorums have a verifier in common.
    function testRule11TheQuorumIsAMajority() public {
        Terms memory made = defaultTerms();
        for (uint256 count = 1; count <= 16; count++) {
            made.verifiers = rising(count);
            made.required = new uint8[](3);
            for (uint256 i = 0; i < 3; i++) made.required[i] = 1;
            made.quorum = uint8(count / 2);
            refuses(11, pack(made));
            made.quorum = uint8(count / 2 + 1);
            vm.assertEq(factory.check(pack(made)), 0, "more than half");
            made.quorum = uint8(count);
            vm.assertEq(factory.check(pack(made)), 0, "all");
            made.quorum = uint8(count + 1);
            refuses(11, pack(made));
        }
    }

    function testRules12To15Milestones() public {
        Terms memory made = defaultTerms();
        made.amounts = new uint128[](0);
        made.required = new uint8[](0);
        refuses(12, pack(made));
        made.amounts = new uint128[](33);
        made.required = new uint8[](33);
        refuses(12, pack(made));
        made = defaultTerms();
        made.amounts[2] = 0;
        made.required[0] = 0;
        refuses(13, pack(made));
        made.amounts[2] = uint128(300 * UNIT);
        refuses(14, pack(made));
        made.required[0] = 4;
        refuses(14, pack(made));
        made.required[0] = 3;
        made.target -= 1;
        refuses(15, pack(made));
        made.target += 2;
        refuses(15, pack(made));
        made = defaultTerms();
        made.amounts[0] = type(uint128).max;
        made.amounts[1] = type(uint128).max;
        made.amounts[2] = 3;
        made.target = 1;
        refuses(15, pack(made));
    }

    function refuses(uint256 rule, bytes memory packed) internal {
        vm.assertEq(factory.check(packed), rule, "rule");
        vm.expectRevert(invalidTerms(rule));
        factory.deploy(packed);
    }

    function invalidTerms(uint256 rule) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(CampaignEscrowFactory.InvalidTerms.selector, rule);
    }

    function rising(uint256 count) internal pure returns (address[] memory made) {
        made = new address[](count);
        for (uint256 i = 0; i < count; i++) made[i] = address(uint160(i + 1));
    }

    function largestTerms() internal view returns (Terms memory made) {
        made = defaultTerms();
        made.target = type(uint128).max;
        made.deadline = type(uint40).max;
        made.activateBy = type(uint40).max;
        made.expiry = type(uint40).max;
        made.quorum = 16;
        made.verifiers = rising(16);
        made.amounts = new uint128[](32);
        made.required = new uint8[](32);
        for (uint256 i = 0; i < 32; i++) (made.amounts[i], made.required[i]) = (1, 16);
        made.amounts[31] = type(uint128).max - 31;
    }
}

/// The code does not contain the chain id, so it is the same on all chains.
contract OtherChainTest is DeployTest {
    function setUp() public override {
        vm.chainId(10);
        super.setUp();
    }
}
