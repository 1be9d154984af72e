// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {CampaignEscrowFactory} from "escrow/CampaignEscrowFactory.sol";
import {EscrowSignatures} from "escrow/EscrowSignatures.sol";
import {IToken} from "./Tokens.sol";
import {Vm} from "./Vm.sol";

/// The terms of an escrow before they are packed.
struct Terms {
    bytes32 campaign;
    address recipient;
    address creator;
    address asset;
    uint128 target;
    uint40 deadline;
    uint40 activateBy;
    uint40 expiry;
    uint8 quorum;
    uint8 surplus;
    address[] verifiers;
    uint128[] amounts;
    uint8[] required;
}

/// A factory, a token, three verifiers in rising order, and an escrow with three milestones.
abstract contract Fixture {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    string internal constant FOLDER = "contracts-abi/";
    address internal constant PROXY = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    bytes internal constant PROXY_CODE =
        hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

    address internal constant RECIPIENT = address(0xB0B);
    address internal constant CREATOR = address(0xC0C);
    address internal constant STRANGER = address(0x57A);
    address internal constant DONOR = address(0xD1);
    address internal constant OTHER_DONOR = address(0xD2);
    uint256 internal constant FOREIGN_KEY = 0xF0;
    bytes32 internal constant EVIDENCE = keccak256("evidence");
    uint256 internal constant UNIT = 1e6;
    uint256 internal constant ALWAYS = type(uint256).max;

    CampaignEscrowFactory internal factory;
    IToken internal token;
    uint256[] internal keys;
    address[] internal verifiers;
    Terms internal t;
    CampaignEscrow internal escrow;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        vm.etch(PROXY, PROXY_CODE);
        factory = deployFactory();
        token = IToken(vm.deployCode(string.concat(FOLDER, "TestToken.json")));
        makeVerifiers(3);
        t = defaultTerms();
        escrow = deploy(t);
    }

    /// Deploys the mutant that the environment variable names, or else the stored bytecode.
    function deployFactory() internal returns (CampaignEscrowFactory) {
        string memory stored = string.concat(FOLDER, "escrow/CampaignEscrowFactory.json");
        string memory path = vm.envOr("ESCROW_FACTORY", stored);
        bytes memory code = vm.parseJsonBytes(vm.readFile(path), ".bytecode");
        (bool ok, bytes memory made) = PROXY.call(bytes.concat(bytes32(0), code));
        require(ok, "the factory is not deployed");
        return CampaignEscrowFactory(address(bytes20(made)));
    }

    function makeVerifiers(uint256 count) internal {
        keys = new uint256[](count);
        verifiers = new address[](count);
        for (uint256 i = 0; i < count; i++) keys[i] = 0xA1 + i;
        for (uint256 i = 0; i < count; i++) {
            for (uint256 j = i + 1; j < count; j++) {
                if (vm.addr(keys[j]) < vm.addr(keys[i])) (keys[i], keys[j]) = (keys[j], keys[i]);
            }
            verifiers[i] = vm.addr(keys[i]);
        }
    }

    function defaultTerms() internal view returns (Terms memory made) {
        uint256 current = vm.getBlockTimestamp();
        made.campaign = keccak256("campaign");
        made.recipient = RECIPIENT;
        made.creator = CREATOR;
        made.asset = address(token);
        made.target = uint128(1000 * UNIT);
        made.deadline = uint40(current + 10 days);
        made.activateBy = uint40(current + 17 days);
        made.expiry = uint40(current + 40 days);
        made.quorum = 2;
        made.surplus = 1;
        made.verifiers = new address[](3);
        made.amounts = new uint128[](3);
        made.required = new uint8[](3);
        for (uint256 i = 0; i < 3; i++) {
            made.verifiers[i] = verifiers[i];
            made.amounts[i] = uint128((i == 0 ? 400 : 300) * UNIT);
            made.required[i] = uint8(i + 1);
        }
    }

    function pack(Terms memory made) internal pure returns (bytes memory packed) {
        packed = bytes.concat(
            abi.encodePacked(made.campaign, made.recipient, made.creator, made.asset),
            abi.encodePacked(made.target, made.deadline, made.activateBy, made.expiry),
            abi.encodePacked(
                made.quorum,
                made.surplus,
                uint8(made.verifiers.length),
                uint8(made.amounts.length)
            )
        );
        for (uint256 i = 0; i < made.verifiers.length; i++) {
            packed = abi.encodePacked(packed, made.verifiers[i]);
        }
        for (uint256 i = 0; i < made.amounts.length; i++) {
            packed = abi.encodePacked(packed, made.amounts[i], made.required[i]);
        }
    }

    function deploy(Terms memory made) internal returns (CampaignEscrow) {
        return CampaignEscrow(factory.deploy(pack(made)));
    }

    /// Deploys an escrow for another campaign with the same terms. It replaces the first escrow.
    function deployAnother() internal {
        t.campaign = keccak256("another");
        escrow = deploy(t);
    }

    /// Deploys an escrow for another token. It replaces the first escrow.
    function useToken(address asset) internal {
        token = IToken(asset);
        t.asset = asset;
        escrow = deploy(t);
    }

    function approve(address donor, uint256 amount) internal {
        token.mint(donor, amount);
        vm.prank(donor);
        (bool ok,) = address(token).call(abi.encodeCall(IToken.approve, (address(escrow), amount)));
        require(ok, "not approved");
    }

    /// Makes a recorded donation.
    function donate(address donor, uint256 amount) internal {
        approve(donor, amount);
        vm.prank(donor);
        escrow.donate(amount, donor);
    }

    /// Makes a donation by a plain transfer.
    function transfer(uint256 amount) internal {
        token.mint(address(escrow), amount);
    }

    function balance(address account) internal view returns (uint256) {
        return token.balanceOf(account);
    }

    function domainOf(address account) internal view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("Fundproof Escrow"),
                keccak256("1"),
                block.chainid,
                account
            )
        );
    }

    function digest(bytes memory message) internal view returns (bytes32) {
        return digestFor(address(escrow), message);
    }

    function digestFor(address account, bytes memory message) internal view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", domainOf(account), keccak256(message)));
    }

    function releaseMessage(uint256 milestone, uint256 round, uint256 validUntil)
        internal view returns (bytes memory)
    {
        return abi.encode(
            keccak256(
                "MilestoneRelease(bytes32 campaign,uint256 milestone,uint256 round,address asset,uint256 amount,address recipient,bytes32 evidenceHash,uint256 validUntil)"
            ),
            t.campaign,
            milestone,
            round,
            t.asset,
            uint256(t.amounts[milestone]),
            t.recipient,
            EVIDENCE,
            validUntil
        );
    }

    function releaseDigest(uint256 milestone) internal view returns (bytes32) {
        return digest(releaseMessage(milestone, escrow.round(milestone), ALWAYS));
    }

    function rejectDigest(uint256 milestone, uint256 round) internal view returns (bytes32) {
        return digest(
            abi.encode(
                keccak256(
                    "MilestoneRejection(bytes32 campaign,uint256 milestone,uint256 round,bytes32 evidenceHash)"
                ),
                t.campaign,
                milestone,
                round,
                EVIDENCE
            )
        );
    }

    function terminateDigest(bytes32 reasonHash, uint256 validUntil)
        internal view returns (bytes32)
    {
        return digest(
            abi.encode(
                keccak256(
                    "CampaignTermination(bytes32 campaign,bytes32 reasonHash,uint256 validUntil)"
                ),
                t.campaign,
                reasonHash,
                validUntil
            )
        );
    }

    function returnsDigest(CampaignEscrow.TransferReturn[] memory list, uint256 validUntil)
        internal view returns (bytes32)
    {
        string memory item =
            "TransferReturn(address asset,address receiver,uint256 amount,bytes32 transaction,int256 position)";
        bytes memory hashes = "";
        for (uint256 i = 0; i < list.length; i++) {
            bytes32 hash = keccak256(abi.encode(keccak256(bytes(item)), list[i]));
            hashes = bytes.concat(hashes, hash);
        }
        string memory all = string.concat(
            "TransferReturns(bytes32 campaign,TransferReturn[] list,uint256 validUntil)", item
        );
        return digest(
            abi.encode(keccak256(bytes(all)), t.campaign, keccak256(hashes), validUntil)
        );
    }

    /// Signs an ERC-3009 authorization of a donor, with the nonce that the escrow requires.
    function authorizationOf(
        uint256 key, address refundTo, uint256 amount, uint256 validBefore, bytes32 salt
    ) internal view returns (bytes memory) {
        bytes32 nonce = keccak256(abi.encode(address(escrow), refundTo, salt));
        bytes32 message = keccak256(
            abi.encode(
                keccak256(
                    "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
                ),
                vm.addr(key), address(escrow), amount, uint256(0), validBefore, nonce
            )
        );
        bytes32 hash = keccak256(abi.encodePacked(hex"1901", token.DOMAIN_SEPARATOR(), message));
        return signature(0, key, hash).data;
    }

    function expectMissing(uint256 needed) internal {
        vm.expectRevert(abi.encodeWithSelector(EscrowSignatures.MissingSignatures.selector, needed));
    }

    function signature(uint256 verifier, uint256 key, bytes32 hash)
        internal pure returns (EscrowSignatures.Signature memory)
    {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, hash);
        return EscrowSignatures.Signature(uint8(verifier), abi.encodePacked(r, s, v));
    }

    function signatureOf(uint256 verifier, bytes32 hash)
        internal view returns (EscrowSignatures.Signature memory)
    {
        return signature(verifier, keys[verifier], hash);
    }

    /// Signs a hash with the first `count` verifiers.
    function signatures(uint256 count, bytes32 hash)
        internal view returns (EscrowSignatures.Signature[] memory made)
    {
        made = new EscrowSignatures.Signature[](count);
        for (uint256 i = 0; i < count; i++) made[i] = signatureOf(i, hash);
    }

    /// Releases a milestone with exactly the required number of signatures.
    function release(uint256 milestone) internal {
        EscrowSignatures.Signature[] memory made =
            signatures(t.required[milestone], releaseDigest(milestone));
        escrow.release(milestone, EVIDENCE, ALWAYS, made);
    }

    /// Expects that the release of a milestone with enough signatures reverts with `reason`.
    function refusesRelease(uint256 milestone, bytes memory reason) internal {
        EscrowSignatures.Signature[] memory made =
            signatures(t.required[milestone], releaseDigest(milestone));
        vm.expectRevert(reason);
        escrow.release(milestone, EVIDENCE, ALWAYS, made);
    }

    /// A list with the return of one transfer. Its transaction hash is the hash of `id`.
    function oneReturn(address asset, address receiver, uint256 amount, uint256 id)
        internal pure returns (CampaignEscrow.TransferReturn[] memory list)
    {
        list = new CampaignEscrow.TransferReturn[](1);
        bytes32 transaction = keccak256(abi.encode(id));
        list[0] = CampaignEscrow.TransferReturn(asset, receiver, amount, transaction, 0);
    }

    function returnTransfers(CampaignEscrow.TransferReturn[] memory list) internal {
        EscrowSignatures.Signature[] memory signed =
            signatures(t.quorum, returnsDigest(list, ALWAYS));
        escrow.returnTransfers(list, ALWAYS, signed);
    }

    /// Expects that the returns revert with `reason`.
    function refusesReturns(CampaignEscrow.TransferReturn[] memory list, bytes memory reason)
        internal
    {
        EscrowSignatures.Signature[] memory signed =
            signatures(t.quorum, returnsDigest(list, ALWAYS));
        vm.expectRevert(reason);
        escrow.returnTransfers(list, ALWAYS, signed);
    }

    function payBack(address asset, address receiver, uint256 amount, uint256 id) internal {
        returnTransfers(oneReturn(asset, receiver, amount, id));
    }

    function cancel() internal {
        vm.prank(CREATOR);
        escrow.cancel();
    }

    function skip(uint256 seconds_) internal {
        vm.warp(vm.getBlockTimestamp() + seconds_);
    }

    function assertState(CampaignEscrow.State expected) internal view {
        (CampaignEscrow.State state,,,) = escrow.progress();
        vm.assertEq(uint256(state), uint256(expected), "state");
    }

    function releasedMilestones() internal view returns (uint256 bitmap) {
        (,, bitmap,) = escrow.progress();
    }

    function recorded() internal view returns (uint256 sum) {
        (,,, sum) = escrow.progress();
    }

    function bytesOf(bytes4 selector) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(selector);
    }

    /// Asserts that received = released + refunded + balance, and that the balance covers the
    /// reserve.
    function assertBooks(uint256 received) internal view {
        uint256 out = escrow.released() + escrow.refunded();
        vm.assertEq(out + balance(address(escrow)), received, "received");
        vm.assertTrue(balance(address(escrow)) >= escrow.recordedOwed(), "reserve");
    }

    function wrongState(CampaignEscrow.State current) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(CampaignEscrow.WrongState.selector, current);
    }

    function wrongSigner(uint256 i) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(EscrowSignatures.WrongSigner.selector, i);
    }
}
