// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {CampaignEscrowFactory} from "escrow/CampaignEscrowFactory.sol";
import {EscrowSignatures} from "escrow/EscrowSignatures.sol";
import {Fixture, Terms} from "./Fixture.sol";
import {IToken} from "./Tokens.sol";

/// Runs random calls and attacks on several campaigns at a time, and keeps its own books. Each call
/// must succeed or fail as the books predict. It uses `assert`, which the runner never ignores.
contract Handler is Fixture {
    enum Call {
        Deploy,
        Transfer,
        Donate,
        DonateWithAuthorization,
        Activate,
        Release,
        Reject,
        ReleaseSurplus,
        Close,
        Cancel,
        Terminate,
        Refund,
        ProposeRoot,
        VetoRoot,
        Claim,
        ClaimOther
    }

    struct Leaf {
        address donor;
        uint256 cumulative;
    }

    /// What must be true of one campaign. The accounts take part in no other campaign.
    struct Book {
        CampaignEscrow escrow;
        Terms terms;
        bytes32 code;
        uint256[4] donorKeys;
        address[4] donors;
        address[4] claimants;
        uint256[4] given;
        uint256[4] refunded;
        uint256[4] claimed;
        uint256 received;
        uint256 otherReceived;
        uint256 released;
        uint256 releasedMask;
        CampaignEscrow.State state;
        CampaignEscrow.Reason reason;
        uint256 pool;
        uint256 rounds;
        bytes32[] proposals;
        bytes32 root;
        bytes32 pending;
        uint256 readyAt;
        uint256 callsLeft;
    }

    uint256 private constant ALWAYS = type(uint256).max;
    uint256 private constant BOOKS = 12;
    /// The claimant whose leaves are of another token.
    uint256 private constant OTHER = 3;
    /// Calls on a campaign that has ended, before a new one takes its place. Some campaigns stay
    /// until several roots were in force.
    uint256 private constant FEW_CALLS = 12;
    uint256 private constant MANY_CALLS = 80;

    Book[BOOKS] private books;
    IToken private otherToken;
    mapping(bytes32 root => Leaf[4]) private leaves;
    mapping(bytes32 root => mapping(address escrow => uint256 bitmap)) private vetoers;
    uint256 private campaigns;
    uint256 private salts;
    uint256 private last;

    mapping(Call => uint256) public calls;
    mapping(Call => uint256) public successes;
    mapping(CampaignEscrow.Reason => uint256) public failures;
    uint256 public completed;

    function setUp() public override {
        super.setUp();
        otherToken = IToken(vm.deployCode(string.concat(FOLDER, "TestToken.json")));
        for (uint256 i = 0; i < BOOKS; i++) begin(i, i);
    }

    // Calls

    function wait(uint256 seed) external {
        skip(seed % 16 hours);
    }

    /// Replaces a campaign that has ended, or tries invalid terms.
    function deployCampaign(uint256 seed) external {
        for (uint256 i = 0; i < BOOKS; i++) {
            uint256 index = (seed % BOOKS + i) % BOOKS;
            if (books[index].callsLeft == 0) return begin(index, seed);
        }
        Book storage book = books[seed % BOOKS];
        // A second opening would undo the end of a campaign.
        try book.escrow.open() {
            assert(false);
        } catch {}
        Terms memory invalid = book.terms;
        if (seed % 3 == 0) invalid.verifiers[0] = address(0);
        else if (seed % 3 == 1) invalid.quorum = uint8(invalid.verifiers.length / 2);
        else invalid.required[0] = 0;
        try factory.deploy(pack(invalid)) {
            assert(false);
        } catch {
            count(Call.Deploy, false);
        }
    }

    /// Plain transfers of both tokens, which every state accepts.
    function transferTo(uint256 seed) external {
        uint256 kind = mix(seed, 2) % 4;
        Book storage book = kind == 0
            ? use(seed % BOOKS)
            : pick(seed, kind == 1 ? hasClaim : isFunding);
        uint256 amount = 1 + mix(seed, 1) % (2 * t.target);
        transfer(amount);
        book.received += amount;
        otherToken.mint(address(escrow), amount);
        book.otherReceived += amount;
        count(Call.Transfer, true);
    }

    function donateTo(uint256 seed) external {
        Book storage book = pick(seed, mix(seed, 4) % 4 == 0 ? isRunning : mayDonate);
        (uint256 donor, uint256 amount) = (mix(seed, 1) % 4, 1 + mix(seed, 2) % (t.target / 8));
        if (mix(seed, 3) % 4 == 0) amount = 0;
        approve(book.donors[donor], amount);
        vm.prank(book.donors[donor]);
        try escrow.donate(amount, book.donors[donor]) {
            assert(mayDonate(book) && amount > 0);
            record(book, donor, amount);
            count(Call.Donate, true);
        } catch {
            assert(!mayDonate(book) || amount == 0);
            burn(book.donors[donor], amount);
            count(Call.Donate, false);
        }
    }

    function donateWithAuthorizationTo(uint256 seed) external {
        Book storage book = pick(seed, mix(seed, 4) % 4 == 0 ? isRunning : mayDonate);
        (uint256 donor, uint256 amount) = (mix(seed, 1) % 4, 1 + mix(seed, 2) % (t.target / 8));
        bool isAttack = mix(seed, 3) % 4 == 0;
        address payee = isAttack ? book.claimants[0] : book.donors[donor];
        salts++;
        bytes memory signed = authorize(book.donorKeys[donor], book.donors[donor], amount, salts);
        token.mint(book.donors[donor], amount);
        try escrow.donateWithAuthorization(
            book.donors[donor], payee, amount, ALWAYS, bytes32(salts), signed
        ) {
            assert(mayDonate(book) && !isAttack);
            record(book, donor, amount);
            count(Call.DonateWithAuthorization, true);
        } catch {
            assert(!mayDonate(book) || isAttack);
            burn(book.donors[donor], amount);
            count(Call.DonateWithAuthorization, false);
        }
    }

    function activateIt(uint256 seed) external {
        Book storage book = pick(seed, isFunded);
        bool expected = isFunded(book) && block.timestamp <= t.activateBy;
        try escrow.activate() {
            assert(expected);
            book.state = CampaignEscrow.State.Active;
            count(Call.Activate, true);
        } catch {
            assert(!expected);
            count(Call.Activate, false);
        }
    }

    function releaseIt(uint256 seed) external {
        Book storage book = pick(seed, isReleasable);
        uint256 milestone = mix(seed, 1) % t.amounts.length;
        for (uint256 i = 0; i < t.amounts.length && isReleased(book, milestone); i++) {
            milestone = (milestone + 1) % t.amounts.length;
        }
        uint256 round = roundOf(book, milestone);
        bytes32 hash = digest(releaseMessage(milestone, round, ALWAYS));
        EscrowSignatures.Signature[] memory signed = signatures(t.required[milestone], hash);
        bool isAttack = mix(seed, 2) % 3 == 0;
        if (isAttack) signed = attackRelease(seed, milestone, round, signed);
        bool expected = !isAttack && isReleasable(book) && !isReleased(book, milestone);
        try escrow.release(milestone, EVIDENCE, ALWAYS, signed) {
            assert(expected);
            book.released += t.amounts[milestone];
            book.releasedMask |= 1 << milestone;
            bool isLast = book.releasedMask == (1 << t.amounts.length) - 1;
            book.state = isLast ? CampaignEscrow.State.Done : CampaignEscrow.State.Active;
            if (isLast) completed++;
            count(Call.Release, true);
        } catch {
            assert(!expected);
            count(Call.Release, false);
        }
    }

    function rejectIt(uint256 seed) external {
        Book storage book = pick(seed, isRunning);
        uint256 milestone = mix(seed, 1) % t.amounts.length;
        uint256 round = roundOf(book, milestone);
        uint256 verifier = mix(seed, 2) % t.verifiers.length;
        bool isAttack = mix(seed, 3) % 3 == 0;
        bytes32 hash = rejectDigest(milestone, isAttack && seed % 2 == 0 ? round + 1 : round);
        uint256 key = isAttack && seed % 2 == 1 ? FOREIGN_KEY : keys[verifier];
        bool expected = !isAttack && isRunning(book) && !isReleased(book, milestone);
        try escrow.reject(milestone, EVIDENCE, signature(verifier, key, hash)) {
            assert(expected);
            book.rounds += 1 << (64 * milestone);
            count(Call.Reject, true);
        } catch {
            assert(!expected);
            count(Call.Reject, false);
        }
    }

    function releaseSurplusOf(uint256 seed) external {
        Book storage book = pick(seed, hasSurplus);
        uint256 amount = balanceOf(book);
        try escrow.releaseSurplus() {
            assert(hasSurplus(book));
            book.released += amount;
            count(Call.ReleaseSurplus, true);
        } catch {
            assert(!hasSurplus(book));
            count(Call.ReleaseSurplus, false);
        }
    }

    function closeIt(uint256 seed) external {
        Book storage book = pick(seed, isClosable);
        try escrow.close() {
            assert(isClosable(book));
            CampaignEscrow.Reason reason = CampaignEscrow.Reason.Expired;
            if (book.state == CampaignEscrow.State.Funding) {
                reason = CampaignEscrow.Reason.TargetMissed;
            }
            if (book.state == CampaignEscrow.State.Done) reason = CampaignEscrow.Reason.None;
            fail(book, reason);
            count(Call.Close, true);
        } catch {
            assert(!isClosable(book));
            count(Call.Close, false);
        }
    }

    function cancelIt(uint256 seed) external {
        Book storage book = pick(seed, isRunning);
        bool isCreator = mix(seed, 1) % 6 == 0;
        vm.prank(isCreator ? t.creator : mix(seed, 2) % 2 == 0 ? t.recipient : t.verifiers[0]);
        try escrow.cancel() {
            assert(isCreator && isRunning(book));
            fail(book, CampaignEscrow.Reason.Cancelled);
            count(Call.Cancel, true);
        } catch {
            assert(!isCreator || !isRunning(book));
            count(Call.Cancel, false);
        }
    }

    function terminateIt(uint256 seed) external {
        Book storage book = pick(seed, isRunning);
        bool isAttack = mix(seed, 1) % 6 != 0;
        EscrowSignatures.Signature[] memory signed = signatures(t.quorum, terminateDigest(EVIDENCE));
        if (isAttack) signed = attack(seed, t.quorum, signed, terminateDigest(EVIDENCE));
        try escrow.terminate(EVIDENCE, signed) {
            assert(!isAttack && isRunning(book));
            fail(book, CampaignEscrow.Reason.Terminated);
            count(Call.Terminate, true);
        } catch {
            assert(isAttack || !isRunning(book));
            count(Call.Terminate, false);
        }
    }

    function refundTo(uint256 seed) external {
        Book storage book = pick(seed, hasRefund);
        uint256 donor = mix(seed, 1) % 4;
        for (uint256 i = 0; i < 4 && refundOf(book, donor) == 0; i++) donor = (donor + 1) % 4;
        if (mix(seed, 2) % 4 == 0) donor = mix(seed, 3) % 4;
        uint256 amount = refundOf(book, donor);
        try escrow.refund(book.donors[donor]) returns (uint256 paid) {
            assert(amount > 0 && paid == amount);
            book.refunded[donor] += amount;
            count(Call.Refund, true);
        } catch {
            assert(amount == 0);
            count(Call.Refund, false);
        }
    }

    /// A fair root, or a greedy one that gives everything to one account.
    function proposeRootFor(uint256 seed) external {
        Book storage book = pick(seed, hasNoPendingRoot);
        if (book.pending != 0 && block.timestamp < book.readyAt && mix(seed, 1) % 4 != 0) return;
        bytes32 root = makeRoot(book, seed);
        bytes32 hash = rootDigest(book.proposals.length, root, EVIDENCE);
        EscrowSignatures.Signature[] memory signed = signatures(t.quorum, hash);
        bool isAttack = mix(seed, 2) % 4 == 0;
        if (isAttack) signed = attack(seed, t.quorum, signed, hash);
        try escrow.proposeRoot(root, EVIDENCE, signed) {
            assert(!isAttack && isEnded(book));
            acceptPending(book);
            (book.pending, book.readyAt) = (root, block.timestamp + t.challenge);
            book.proposals.push(root);
            count(Call.ProposeRoot, true);
        } catch {
            assert(isAttack || !isEnded(book));
            count(Call.ProposeRoot, false);
        }
    }

    /// A root that was vetoed is proposed again half of the time. In most cases, the verifier has
    /// not vetoed it.
    function vetoRootOf(uint256 seed) external {
        Book storage book = pick(seed, isVetoable);
        acceptPending(book);
        uint256 verifier = mix(seed, 1) % t.verifiers.length;
        for (uint256 i = 0; i < 3 && mix(seed, 3) % 3 > 0 && hasVetoed(book, verifier); i++) {
            verifier = (verifier + 1) % t.verifiers.length;
        }
        uint256 key = mix(seed, 2) % 4 == 0 ? FOREIGN_KEY : keys[verifier];
        bool isForged = key == FOREIGN_KEY;
        bool expected = isVetoable(book) && !hasVetoed(book, verifier) && !isForged;
        uint256 length = book.proposals.length;
        bytes32 hash = vetoDigest(length == 0 ? 0 : length - 1, book.pending);
        try escrow.vetoRoot(signature(verifier, key, hash)) {
            assert(expected);
            vetoers[book.pending][address(escrow)] |= 1 << verifier;
            book.pending = 0;
            count(Call.VetoRoot, true);
        } catch {
            assert(!expected);
            count(Call.VetoRoot, false);
        }
    }

    function claimFrom(uint256 seed) external {
        Book storage book = pick(seed, mix(seed, 3) % 6 == 0 ? isGreedy : hasClaim);
        acceptPending(book);
        if (book.root == 0) return claimWithoutRoot(book, seed);
        uint256 index = claimantOf(book, seed);
        Leaf memory claimed = leaves[book.root][index];
        uint256 amount = unclaimed(book, index);
        bool isAttack = mix(seed, 2) % 4 == 0;
        if (isAttack) claimed.cumulative += 1;
        bool expected = !isAttack && isAffordable(book, index);
        bytes32[] memory proof = proofOf(book.root, index);
        Call call = index == OTHER ? Call.ClaimOther : Call.Claim;
        try escrow.claim(assetOf(index), claimed.donor, claimed.cumulative, proof) returns (
            uint256 paid
        ) {
            assert(expected && paid == amount);
            book.claimed[index] += amount;
            count(call, true);
        } catch {
            assert(!expected);
            count(call, false);
        }
    }

    // Checks

    /// The invariants, for the campaign of the last call. Calls do not touch other campaigns.
    function checkBook() external view {
        check(books[last]);
    }

    function checkAllBooks() external view {
        for (uint256 i = 0; i < BOOKS; i++) check(books[i]);
    }

    function check(Book storage book) private view {
        CampaignEscrow one = book.escrow;
        // 1: all money is accounted for.
        uint256 held = balanceOf(book);
        assert(token.balanceOf(address(one)) == held);
        assert(otherToken.balanceOf(address(one)) == otherOf(book));
        assert(one.received() == book.received);
        assert(one.refunded() == refundedOf(book));
        // 2 and 3: the recipient has exactly the released milestones and the surplus.
        assert(one.released() == book.released);
        assert(one.releasedMilestones() == book.releasedMask);
        assert(token.balanceOf(book.terms.recipient) == book.released);
        uint256 sum = sumOf(book);
        assert(book.released >= sum && (book.released == sum || isDone(book)));
        // 4 and 7: donors have exactly their shares, at most what they gave.
        uint256 given = 0;
        uint256 refundable = 0;
        for (uint256 i = 0; i < 4; i++) {
            given += book.given[i];
            assert(token.balanceOf(book.donors[i]) == book.refunded[i]);
            assert(book.refunded[i] <= book.given[i]);
            IToken claimable = IToken(assetOf(i));
            assert(claimable.balanceOf(book.claimants[i]) == book.claimed[i]);
            assert(one.claimed(address(claimable), book.claimants[i]) == book.claimed[i]);
            assert(one.refundable(book.donors[i]) == refundOf(book, i));
            refundable += refundOf(book, i);
        }
        assert(one.recorded() == given);
        // 5 and 8: the state and the failure are those of the books.
        assert(one.state() == book.state);
        (CampaignEscrow.Reason reason, uint256 pool, uint256 total) = one.failure();
        bool isFailed = book.state == CampaignEscrow.State.Failed;
        assert(isFailed ? pool == book.pool && reason == book.reason : total == 0 && pool == 0);
        assert(!isFailed || total == pool + book.released);
        assert(isFailed || one.refunded() == 0);
        // 6: the reserve is enough for all recorded donors.
        assert(held >= one.recordedOwed() && one.recordedOwed() >= refundable);
        assert(one.rootIndex() == book.proposals.length);
        // 9: the code, with the terms in it, is the same.
        assert(address(one).codehash == book.code);
    }

    // Books

    function begin(uint256 index, uint256 seed) private {
        delete books[index];
        Book storage book = books[index];
        campaigns++;
        makeTerms(seed);
        escrow = deploy(t);
        book.terms = t;
        book.escrow = escrow;
        book.code = address(escrow).codehash;
        book.state = CampaignEscrow.State.Funding;
        book.callsLeft = campaigns % 8 == 0 ? MANY_CALLS : FEW_CALLS;
        for (uint256 i = 0; i < 4; i++) {
            book.donorKeys[i] = campaigns * 16 + i + 0x1000;
            book.donors[i] = vm.addr(book.donorKeys[i]);
            book.claimants[i] = account(4 + i);
        }
        last = index;
        count(Call.Deploy, true);
    }

    function makeTerms(uint256 seed) private {
        Terms memory made = defaultTerms();
        uint256 current = block.timestamp;
        made.campaign = bytes32(campaigns);
        made.recipient = account(0);
        made.creator = account(1);
        made.target = uint128(100 + mix(seed, 1) % 900);
        made.deadline = uint40(current + 1 days + mix(seed, 2) % 4 days);
        made.activateBy = uint40(made.deadline + mix(seed, 3) % 2 days);
        made.expiry = uint40(made.activateBy + mix(seed, 4) % 5 days);
        made.challenge = 1 days;
        made.surplus = uint8(mix(seed, 5) % 2);
        uint256 signers = 1 + mix(seed, 6) % 3;
        made.verifiers = new address[](signers);
        for (uint256 i = 0; i < signers; i++) made.verifiers[i] = verifiers[i];
        uint256 majority = signers / 2 + 1;
        made.quorum = uint8(majority + mix(seed, 7) % (signers - majority + 1));
        uint256 milestones = 1 + mix(seed, 8) % 3;
        made.amounts = new uint128[](milestones);
        made.required = new uint8[](milestones);
        for (uint256 i = 0; i < milestones; i++) {
            made.amounts[i] = uint128(1 + mix(seed, 9 + i) % (made.target / milestones));
            made.required[i] = uint8(1 + mix(seed, 12 + i) % signers);
        }
        t = made;
    }

    function record(Book storage book, uint256 donor, uint256 amount) private {
        book.given[donor] += amount;
        book.received += amount;
        if (isFunded(book)) book.state = CampaignEscrow.State.Active;
    }

    function fail(Book storage book, CampaignEscrow.Reason reason) private {
        book.pool = balanceOf(book);
        book.state = CampaignEscrow.State.Failed;
        book.reason = reason;
        failures[reason]++;
    }

    /// The escrow treats a root that is ready as the root in force.
    function acceptPending(Book storage book) private {
        if (book.pending == 0 || block.timestamp < book.readyAt) return;
        (book.root, book.pending) = (book.pending, 0);
    }

    function makeRoot(Book storage book, uint256 seed) private returns (bytes32 root) {
        // A root that was vetoed, again.
        uint256 length = book.proposals.length;
        bytes32 newest = length == 0 ? bytes32(0) : book.proposals[length - 1];
        if (vetoers[newest][address(escrow)] != 0 && seed % 2 == 0) return newest;
        Leaf[4] memory made;
        uint256 held = balanceOf(book);
        uint256 free = held > owed(book) ? held - owed(book) : 0;
        for (uint256 i = 0; i < 4; i++) {
            bool takesAll = mix(seed, 20 + i) % 3 == 0;
            uint256 share = takesAll ? held : mix(seed, 24 + i) % (free / 4 + 1);
            if (i == OTHER) share = mix(seed, 24) % (otherOf(book) + 2);
            made[i] = Leaf(book.claimants[i], book.claimed[i] + share);
        }
        bytes32[4] memory nodes = nodesOf(made);
        root = pair(pair(nodes[0], nodes[1]), pair(nodes[2], nodes[3]));
        for (uint256 i = 0; i < 4; i++) leaves[root][i] = made[i];
    }

    function nodesOf(Leaf[4] memory made) private view returns (bytes32[4] memory nodes) {
        for (uint256 i = 0; i < 4; i++) {
            nodes[i] = leaf(assetOf(i), made[i].donor, made[i].cumulative);
        }
    }

    /// The tokens of all campaigns are the same.
    function assetOf(uint256 claimant) private view returns (address) {
        return address(claimant == OTHER ? otherToken : token);
    }

    function proofOf(bytes32 root, uint256 index) private view returns (bytes32[] memory proof) {
        bytes32[4] memory nodes = nodesOf(leaves[root]);
        proof = new bytes32[](2);
        proof[0] = nodes[index ^ 1];
        proof[1] = index < 2 ? pair(nodes[2], nodes[3]) : pair(nodes[0], nodes[1]);
    }

    function pair(bytes32 one, bytes32 two) private pure returns (bytes32) {
        return keccak256(one < two ? abi.encodePacked(one, two) : abi.encodePacked(two, one));
    }

    /// In some cases a claimant whose leaf takes from the reserve, or else one that can be paid.
    function claimantOf(Book storage book, uint256 seed) private view returns (uint256 index) {
        uint256 first = mix(seed, 1) % 4;
        for (uint256 i = 0; i < 4 && mix(seed, 3) % 6 == 0; i++) {
            if (isOverdrawn(book, (first + i) % 4)) return (first + i) % 4;
        }
        for (uint256 i = 0; i < 4; i++) {
            if (isAffordable(book, (first + i) % 4)) return (first + i) % 4;
        }
        return first;
    }

    /// A claim by a leaf of a root that is not in force.
    function claimWithoutRoot(Book storage book, uint256 seed) private {
        uint256 length = book.proposals.length;
        bytes32 root = length == 0 ? bytes32(0) : book.proposals[length - 1];
        uint256 index = seed % 4;
        Leaf memory claimed = leaves[root][index];
        try escrow.claim(assetOf(index), claimed.donor, claimed.cumulative, proofOf(root, index)) {
            assert(false);
        } catch {
            count(Call.Claim, false);
        }
    }

    // Attacks

    /// Signatures of another round, of another milestone, or as in {attack}.
    function attackRelease(
        uint256 seed,
        uint256 milestone,
        uint256 round,
        EscrowSignatures.Signature[] memory signed
    ) private view returns (EscrowSignatures.Signature[] memory) {
        uint256 kind = mix(seed, 31) % 4;
        uint256 needed = t.required[milestone];
        if (kind == 0) {
            // The round before, or the next one.
            uint256 other = round == 0 ? 1 : round - 1;
            return signatures(needed, digest(releaseMessage(milestone, other, ALWAYS)));
        }
        if (kind == 1) {
            return signatures(needed, digest(releaseMessage(milestone, round, ALWAYS - 1)));
        }
        bytes32 hash = digest(releaseMessage(milestone, round, ALWAYS));
        return attack(seed, needed, signed, hash);
    }

    /// One verifier several times, a forged key, or too few signatures.
    function attack(
        uint256 seed,
        uint256 needed,
        EscrowSignatures.Signature[] memory signed,
        bytes32 hash
    ) private view returns (EscrowSignatures.Signature[] memory) {
        uint256 kind = mix(seed, 32) % 3;
        if (kind == 0 && needed > 1) {
            for (uint256 i = 1; i < needed; i++) signed[i] = signed[0];
            return signed;
        }
        if (kind == 1) return signatures(needed - 1, hash);
        uint256 forged = mix(seed, 33) % needed;
        signed[forged] = signature(forged, FOREIGN_KEY, hash);
        return signed;
    }

    // Facts

    function balanceOf(Book storage book) private view returns (uint256) {
        return book.received - book.released - refundedOf(book);
    }

    function otherOf(Book storage book) private view returns (uint256) {
        return book.otherReceived - book.claimed[OTHER];
    }

    function refundedOf(Book storage book) private view returns (uint256 sum) {
        for (uint256 i = 0; i < 4; i++) sum += book.refunded[i];
        for (uint256 i = 0; i < OTHER; i++) sum += book.claimed[i];
    }

    /// The share that a donor can still get, by the rule of the documentation.
    function refundOf(Book storage book, uint256 donor) private view returns (uint256) {
        if (book.state != CampaignEscrow.State.Failed || book.refunded[donor] > 0) return 0;
        return shareOf(book, book.given[donor]);
    }

    function shareOf(Book storage book, uint256 given) private view returns (uint256) {
        uint256 total = book.pool + book.released;
        return total == 0 ? 0 : given * book.pool / total;
    }

    /// What the root in force gives to a claimant, without the claims so far.
    function unclaimed(Book storage book, uint256 index) private view returns (uint256) {
        uint256 cumulative = leaves[book.root][index].cumulative;
        return cumulative > book.claimed[index] ? cumulative - book.claimed[index] : 0;
    }

    /// True if a claim leaves the reserve of the recorded donors. Other tokens have no reserve, and
    /// go back after the last milestone too.
    function isAffordable(Book storage book, uint256 index) private view returns (bool) {
        uint256 amount = unclaimed(book, index);
        if (index == OTHER) return amount > 0 && otherOf(book) >= amount;
        bool isFailed = book.state == CampaignEscrow.State.Failed;
        return isFailed && amount > 0 && balanceOf(book) >= amount + owed(book);
    }

    /// True if the balance is enough for a claim that takes from the reserve.
    function isOverdrawn(Book storage book, uint256 index) private view returns (bool) {
        uint256 amount = unclaimed(book, index);
        uint256 held = balanceOf(book);
        return index != OTHER && amount > 0 && amount <= held && held < amount + owed(book);
    }

    /// The reserve: the share of all recorded donations, without the refunds so far.
    function owed(Book storage book) private view returns (uint256) {
        if (book.state != CampaignEscrow.State.Failed) return 0;
        uint256 given = 0;
        uint256 paid = 0;
        for (uint256 i = 0; i < 4; i++) {
            given += book.given[i];
            paid += book.refunded[i];
        }
        return shareOf(book, given) - paid;
    }

    function sumOf(Book storage book) private view returns (uint256 sum) {
        for (uint256 i = 0; i < book.terms.amounts.length; i++) {
            if (isReleased(book, i)) sum += book.terms.amounts[i];
        }
    }

    function roundOf(Book storage book, uint256 milestone) private view returns (uint256) {
        return (book.rounds >> (64 * milestone)) & type(uint64).max;
    }

    function isReleased(Book storage book, uint256 milestone) private view returns (bool) {
        return (book.releasedMask >> milestone) & 1 == 1;
    }

    function isRunning(Book storage book) private view returns (bool) {
        return book.state == CampaignEscrow.State.Funding
            || book.state == CampaignEscrow.State.Active;
    }

    function isFunding(Book storage book) private view returns (bool) {
        return book.state == CampaignEscrow.State.Funding;
    }

    function isEnded(Book storage book) private view returns (bool) {
        return !isRunning(book);
    }

    function isDone(Book storage book) private view returns (bool) {
        return book.state == CampaignEscrow.State.Done;
    }

    function mayDonate(Book storage book) private view returns (bool) {
        bool isEarly = book.releasedMask == 0 && block.timestamp <= book.terms.deadline;
        return isRunning(book) && isEarly;
    }

    function isFunded(Book storage book) private view returns (bool) {
        return book.state == CampaignEscrow.State.Funding
            && balanceOf(book) >= book.terms.target;
    }

    function isReleasable(Book storage book) private view returns (bool) {
        bool isActive = book.state == CampaignEscrow.State.Active;
        if (isFunded(book)) isActive = block.timestamp <= book.terms.activateBy;
        return isActive && block.timestamp <= book.terms.expiry;
    }

    function hasSurplus(Book storage book) private view returns (bool) {
        return isDone(book) && book.terms.surplus == 1 && balanceOf(book) > 0;
    }

    function isClosable(Book storage book) private view returns (bool) {
        if (book.state == CampaignEscrow.State.Funding) {
            return block.timestamp > book.terms.activateBy;
        }
        if (book.state == CampaignEscrow.State.Active) return block.timestamp > book.terms.expiry;
        return isDone(book) && book.terms.surplus == 0 && balanceOf(book) > 0;
    }

    function hasRefund(Book storage book) private view returns (bool) {
        for (uint256 i = 0; i < 4; i++) if (refundOf(book, i) > 0) return true;
        return false;
    }

    function hasNoPendingRoot(Book storage book) private view returns (bool) {
        return isEnded(book) && book.pending == 0;
    }

    function isVetoable(Book storage book) private view returns (bool) {
        return book.pending != 0 && block.timestamp < book.readyAt;
    }

    function hasVetoed(Book storage book, uint256 verifier) private view returns (bool) {
        return (vetoers[book.pending][address(book.escrow)] >> verifier) & 1 == 1;
    }

    function isGreedy(Book storage book) private view returns (bool) {
        if (book.root == 0 || book.state != CampaignEscrow.State.Failed) return false;
        for (uint256 i = 0; i < 4; i++) if (isOverdrawn(book, i)) return true;
        return false;
    }

    function hasClaim(Book storage book) private view returns (bool) {
        bool isReady = book.pending != 0 && block.timestamp >= book.readyAt;
        return isEnded(book) && (book.root != 0 || isReady);
    }

    // Helpers

    /// The first campaign from a random one on for which `fits` is true, or else the random one.
    function pick(uint256 seed, function(Book storage) view returns (bool) fits)
        private
        returns (Book storage)
    {
        for (uint256 i = 0; i < BOOKS; i++) {
            if (fits(books[(seed % BOOKS + i) % BOOKS])) return use((seed % BOOKS + i) % BOOKS);
        }
        return use(seed % BOOKS);
    }

    function use(uint256 index) private returns (Book storage book) {
        last = index;
        book = books[index];
        escrow = book.escrow;
        t = book.terms;
        if (isEnded(book) && book.callsLeft > 0) book.callsLeft--;
    }

    function count(Call call, bool succeeded) private {
        calls[call]++;
        if (succeeded) successes[call]++;
    }

    function account(uint256 role) private view returns (address) {
        return address(uint160(uint256(keccak256(abi.encode(campaigns, role)))));
    }

    function mix(uint256 seed, uint256 salt) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, salt)));
    }

    function burn(address holder, uint256 amount) private {
        if (amount == 0) return;
        vm.prank(holder);
        token.transfer(address(0xdead), amount);
    }

    function authorize(uint256 key, address from, uint256 amount, uint256 salt)
        private
        view
        returns (bytes memory)
    {
        bytes32 nonce = keccak256(abi.encode(address(escrow), from, bytes32(salt)));
        bytes32 message = keccak256(
            abi.encode(
                keccak256(
                    "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
                ),
                from,
                address(escrow),
                amount,
                uint256(0),
                ALWAYS,
                nonce
            )
        );
        bytes32 hash = keccak256(abi.encodePacked(hex"1901", token.DOMAIN_SEPARATOR(), message));
        return signature(0, key, hash).data;
    }
}
