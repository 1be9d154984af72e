// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CampaignEscrow} from "escrow/CampaignEscrow.sol";
import {CampaignEscrowFactory} from "escrow/CampaignEscrowFactory.sol";
import {EscrowSignatures} from "escrow/EscrowSignatures.sol";
import {Fixture, Terms} from "./Fixture.sol";
import {IToken} from "./Tokens.sol";

/// Makes random calls and attacks on several campaigns, and keeps its own books. Each call must
/// succeed or fail as the books predict. Uses `assert`, because the runner never ignores it.
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
        ReturnTransfers,
        Abandon
    }

    /// A transfer that the escrow did not record, in one of three assets.
    struct Plain {
        uint256 asset;
        uint256 amount;
        bytes32 transaction;
        int256 position;
        bool isReturned;
    }

    /// The expected facts of one campaign. Its accounts belong to no other campaign.
    struct Book {
        CampaignEscrow escrow;
        Terms terms;
        bytes32 code;
        uint256[4] donorKeys;
        address[4] donors;
        address receiver;
        uint256[4] given;
        uint256[4] refunded;
        /// Returned amounts by asset: the token of the terms, another token, the native coin.
        uint256[3] returned;
        uint256 received;
        /// The amount received in each of the other two assets.
        uint256 otherReceived;
        uint256 released;
        uint256 releasedMask;
        /// The milestones that enough verifiers have signed at some time.
        uint256 signedMask;
        CampaignEscrow.State state;
        CampaignEscrow.Reason reason;
        uint256 pool;
        uint256 rounds;
        Plain[] transfers;
        uint256 callsLeft;
    }

    uint256 private constant BOOKS = 12;
    /// The number of calls on an ended campaign before a new campaign replaces it. Some campaigns
    /// stay longer, until many transfers were returned.
    uint256 private constant FEW_CALLS = 12;
    uint256 private constant MANY_CALLS = 40;

    Book[BOOKS] private books;
    IToken private otherToken;
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
            if (books[index].callsLeft == 0) return replace(index, seed);
        }
        // In any state a campaign may be replaced, as if all people had left it.
        if (mix(seed, 1) % 4 == 0) return replace(seed % BOOKS, seed);
        Book storage book = books[seed % BOOKS];
        // A second call of `open` must fail, because it would reset an ended campaign.
        (bool opened,) = address(book.escrow).call(abi.encodeCall(CampaignEscrow.open, ()));
        assert(!opened);
        Terms memory invalid = book.terms;
        if (seed % 4 == 0) invalid.verifiers[0] = address(0);
        else if (seed % 4 == 1) invalid.target += 1;
        else if (seed % 4 == 2) invalid.quorum = uint8(invalid.verifiers.length / 2);
        else invalid.required[0] = 0;
        try factory.deploy(pack(invalid)) {
            assert(false);
        } catch {
            count(Call.Deploy, false);
        }
    }

    /// Makes a plain transfer in one of three assets, which every state accepts.
    function transferTo(uint256 seed) external {
        uint256 kind = mix(seed, 2) % 4;
        Book storage book = kind == 0
            ? use(seed % BOOKS)
            : pick(seed, kind == 1 ? isEnded : isFunding);
        uint256 amount = 1 + mix(seed, 1) % (2 * t.target);
        transfer(amount);
        book.received += amount;
        otherToken.mint(address(escrow), amount);
        vm.deal(address(escrow), address(escrow).balance + amount);
        book.otherReceived += amount;
        bytes32 transaction = bytes32(++salts);
        for (uint256 i = 0; i < 3; i++) {
            int256 position = i == 2 ? -1 : int256(i);
            book.transfers.push(Plain(i, amount, transaction, position, false));
        }
        count(Call.Transfer, true);
    }

    function donateTo(uint256 seed) external {
        Book storage book = pick(seed, mix(seed, 4) % 4 == 0 ? isRunning : mayDonate);
        (uint256 donor, uint256 amount) = (mix(seed, 1) % 4, 1 + mix(seed, 2) % (t.target / 8));
        if (mix(seed, 3) % 4 == 0) amount = 0;
        approve(book.donors[donor], amount);
        bytes memory data = abi.encodeCall(CampaignEscrow.donate, (amount, book.donors[donor]));
        bool expected = mayDonate(book) && amount > 0;
        vm.prank(book.donors[donor]);
        if (attempt(Call.Donate, data, expected)) record(book, donor, amount);
        else burn(book.donors[donor], amount);
    }

    function donateWithAuthorizationTo(uint256 seed) external {
        Book storage book = pick(seed, mix(seed, 4) % 4 == 0 ? isRunning : mayDonate);
        (uint256 donor, uint256 amount) = (mix(seed, 1) % 4, 1 + mix(seed, 2) % (t.target / 8));
        bool isAttack = mix(seed, 3) % 4 == 0;
        address payee = isAttack ? book.receiver : book.donors[donor];
        salts++;
        bytes32 salt = bytes32(salts);
        bytes memory signed =
            authorizationOf(book.donorKeys[donor], book.donors[donor], amount, ALWAYS, salt);
        token.mint(book.donors[donor], amount);
        bytes memory data = abi.encodeCall(
            CampaignEscrow.donateWithAuthorization,
            (book.donors[donor], payee, amount, ALWAYS, salt, signed)
        );
        if (attempt(Call.DonateWithAuthorization, data, mayDonate(book) && !isAttack)) {
            record(book, donor, amount);
        } else {
            burn(book.donors[donor], amount);
        }
    }

    function activateIt(uint256 seed) external {
        Book storage book = pick(seed, isFunded);
        bool expected = isFunded(book) && block.timestamp <= t.activateBy;
        if (attempt(Call.Activate, abi.encodeCall(CampaignEscrow.activate, ()), expected)) {
            book.state = CampaignEscrow.State.Active;
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
        else book.signedMask |= 1 << milestone;
        bool expected = !isAttack && isReleasable(book) && !isReleased(book, milestone);
        bytes memory data =
            abi.encodeCall(CampaignEscrow.release, (milestone, EVIDENCE, ALWAYS, signed));
        if (!attempt(Call.Release, data, expected)) return;
        book.released += t.amounts[milestone];
        book.releasedMask |= 1 << milestone;
        bool isLast = book.releasedMask == (1 << t.amounts.length) - 1;
        book.state = isLast ? CampaignEscrow.State.Done : CampaignEscrow.State.Active;
        if (isLast) completed++;
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
        bytes memory data = abi.encodeCall(
            CampaignEscrow.reject, (milestone, EVIDENCE, signature(verifier, key, hash))
        );
        if (attempt(Call.Reject, data, expected)) book.rounds += 1 << (64 * milestone);
    }

    function releaseSurplusOf(uint256 seed) external {
        Book storage book = pick(seed, hasSurplus);
        uint256 amount = balanceOf(book);
        bytes memory data = abi.encodeCall(CampaignEscrow.releaseSurplus, ());
        if (attempt(Call.ReleaseSurplus, data, hasSurplus(book))) book.released += amount;
    }

    function closeIt(uint256 seed) external {
        Book storage book = pick(seed, isClosable);
        bytes memory data = abi.encodeCall(CampaignEscrow.close, ());
        if (!attempt(Call.Close, data, isClosable(book))) return;
        CampaignEscrow.Reason reason = CampaignEscrow.Reason.Expired;
        if (isFunding(book)) reason = CampaignEscrow.Reason.TargetMissed;
        if (isDone(book)) reason = CampaignEscrow.Reason.None;
        fail(book, reason);
    }

    function cancelIt(uint256 seed) external {
        Book storage book = pick(seed, isRunning);
        bool isCreator = mix(seed, 1) % 6 == 0;
        bytes memory data = abi.encodeCall(CampaignEscrow.cancel, ());
        vm.prank(isCreator ? t.creator : mix(seed, 2) % 2 == 0 ? t.recipient : t.verifiers[0]);
        if (attempt(Call.Cancel, data, isCreator && isRunning(book))) {
            fail(book, CampaignEscrow.Reason.Cancelled);
        }
    }

    function terminateIt(uint256 seed) external {
        Book storage book = pick(seed, isRunning);
        bool isAttack = mix(seed, 1) % 6 != 0;
        uint256 until = mix(seed, 3) % 3 == 0 ? block.timestamp - mix(seed, 4) % 2 : ALWAYS;
        bytes32 hash = terminateDigest(EVIDENCE, until);
        EscrowSignatures.Signature[] memory signed = signatures(t.quorum, hash);
        if (isAttack) signed = attack(seed, t.quorum, signed, hash);
        bool expected = !isAttack && isRunning(book) && block.timestamp <= until;
        bytes memory data = abi.encodeCall(CampaignEscrow.terminate, (EVIDENCE, until, signed));
        if (attempt(Call.Terminate, data, expected)) fail(book, CampaignEscrow.Reason.Terminated);
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

    /// Returns a list that an honest or a greedy quorum signed, or that too few verifiers signed.
    function returnTransfersOf(uint256 seed) external {
        Book storage book = pick(seed, mix(seed, 1) % 8 == 0 ? isRunning : hasTransfers);
        uint256[] memory picks = pickTransfers(book, seed);
        CampaignEscrow.TransferReturn[] memory list = makeList(book, picks, seed);
        bytes32 hash = returnsDigest(list, ALWAYS);
        EscrowSignatures.Signature[] memory signed = signatures(t.quorum, hash);
        bool isAttack = mix(seed, 2) % 4 == 0;
        if (isAttack) signed = attack(seed, t.quorum, signed, hash);
        bool expected = !isAttack && isPayable(book, picks, list);
        bytes memory data =
            abi.encodeCall(CampaignEscrow.returnTransfers, (list, ALWAYS, signed));
        if (!attempt(Call.ReturnTransfers, data, expected)) return;
        for (uint256 i = 0; i < picks.length; i++) {
            Plain storage plain = book.transfers[picks[i]];
            plain.isReturned = true;
            book.returned[plain.asset] += list[i].amount;
        }
    }

    // Checks

    /// Checks the invariants of the campaign of the last call. Calls do not change other campaigns.
    function checkBook() external view {
        check(books[last]);
    }

    function abandonAllBooks() external {
        for (uint256 i = 0; i < BOOKS; i++) abandon(i);
    }

    function check(Book storage book) private view {
        CampaignEscrow one = book.escrow;
        // 1: The balances account for all money.
        uint256 held = balanceOf(book);
        assert(token.balanceOf(address(one)) == held);
        assert(otherToken.balanceOf(address(one)) == book.otherReceived - book.returned[1]);
        assert(address(one).balance == book.otherReceived - book.returned[2]);
        assert(one.refunded() == refundedOf(book));
        // 2 and 3: The recipient has exactly the released milestones and the surplus.
        assert(one.released() == book.released);
        assert(token.balanceOf(book.terms.recipient) == book.released);
        uint256 sum = sumOf(book);
        bool hasAll = book.releasedMask == (1 << book.terms.amounts.length) - 1;
        assert(book.released >= sum && (book.released == sum || hasAll));
        // The recipient gets no milestone without its signatures. Money above the target needs the
        // signatures of all milestones.
        assert(book.releasedMask & ~book.signedMask == 0);
        // 4 and 7: Donors have exactly their shares, and at most the amounts that they gave.
        uint256 given = 0;
        uint256 refundable = 0;
        for (uint256 i = 0; i < 4; i++) {
            given += book.given[i];
            assert(token.balanceOf(book.donors[i]) == book.refunded[i]);
            assert(book.refunded[i] <= book.given[i]);
            assert(one.refundable(book.donors[i]) == refundOf(book, i));
            refundable += refundOf(book, i);
        }
        assert(token.balanceOf(book.receiver) == book.returned[0]);
        assert(otherToken.balanceOf(book.receiver) == book.returned[1]);
        assert(book.receiver.balance == book.returned[2]);
        // 5 and 8: The state and the failure are the same as in the books.
        (CampaignEscrow.State state, CampaignEscrow.Reason reason, uint256 mask, uint256 sumGiven) =
            one.progress();
        assert(sumGiven == given && state == book.state && reason == book.reason);
        assert(mask == book.releasedMask);
        assert(one.pool() == (isFailed(book) ? book.pool : 0));
        assert(!isFailed(book) || one.total() == book.pool + book.released);
        assert(isFailed(book) || one.refunded() == 0);
        // 6: The reserve is enough for all recorded donors, so no quorum can reduce their refunds.
        assert(held >= one.recordedOwed() && one.recordedOwed() >= refundable);
        // 9: The code, which contains the terms, has not changed.
        assert(address(one).codehash == book.code);
    }

    // Books

    /// No state locks recorded money: if all people leave a campaign, its refunds open after a
    /// time.
    function abandon(uint256 index) private {
        Book storage book = use(index);
        uint256 current = vm.getBlockTimestamp();
        if (current <= t.expiry) vm.warp(t.expiry + 1);
        if (isRunning(book) || (isDone(book) && balanceOf(book) > 0)) {
            escrow.close();
            (book.pool, book.state) = (balanceOf(book), CampaignEscrow.State.Failed);
            (, book.reason,,) = escrow.progress();
        }
        for (uint256 i = 0; i < 4; i++) {
            uint256 amount = refundOf(book, i);
            if (amount == 0) continue;
            assert(escrow.refund(book.donors[i]) == amount);
            book.refunded[i] = amount;
        }
        assert(escrow.recordedOwed() < 4);
        for (uint256 i = 0; i < book.transfers.length; i++) {
            Plain storage plain = book.transfers[i];
            assert(escrow.isReturned(plain.transaction, plain.position) == plain.isReturned);
        }
        check(book);
        vm.warp(current);
        count(Call.Abandon, true);
    }

    function replace(uint256 index, uint256 seed) private {
        abandon(index);
        begin(index, seed);
    }

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
        }
        book.receiver = account(2);
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
        made.surplus = uint8(mix(seed, 5) % 2);
        uint256 signers = 1 + mix(seed, 6) % 3;
        made.verifiers = new address[](signers);
        for (uint256 i = 0; i < signers; i++) made.verifiers[i] = verifiers[i];
        uint256 majority = signers / 2 + 1;
        made.quorum = uint8(majority + mix(seed, 7) % (signers - majority + 1));
        uint256 milestones = 1 + mix(seed, 8) % 3;
        made.amounts = new uint128[](milestones);
        made.required = new uint8[](milestones);
        uint128 rest = made.target;
        for (uint256 i = 0; i < milestones; i++) {
            uint256 part = 1 + mix(seed, 9 + i) % (made.target / milestones);
            made.amounts[i] = i == milestones - 1 ? rest : uint128(part);
            rest -= made.amounts[i];
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

    /// Picks one to three transfers. Most were not returned yet, and some are twice in the list.
    function pickTransfers(Book storage book, uint256 seed)
        private view returns (uint256[] memory picks)
    {
        uint256 length = book.transfers.length;
        picks = new uint256[](length == 0 ? 0 : 1 + mix(seed, 20) % 3);
        for (uint256 i = 0; i < picks.length; i++) {
            picks[i] = mix(seed, 21 + i) % length;
            bool isAny = mix(seed, 24 + i) % 8 == 0;
            for (uint256 j = 0; j < length && !isAny && isUsed(book, picks, i); j++) {
                picks[i] = (picks[i] + 1) % length;
            }
        }
    }

    /// True if the transfer was already returned, or is at an earlier position of the list.
    function isUsed(Book storage book, uint256[] memory picks, uint256 index)
        private view returns (bool)
    {
        for (uint256 i = 0; i < index; i++) if (picks[i] == picks[index]) return true;
        return book.transfers[picks[index]].isReturned;
    }

    /// An honest quorum returns at most the free amount. A greedy quorum takes everything, also the
    /// reserve.
    function makeList(Book storage book, uint256[] memory picks, uint256 seed)
        private view returns (CampaignEscrow.TransferReturn[] memory list)
    {
        list = new CampaignEscrow.TransferReturn[](picks.length);
        for (uint256 i = 0; i < picks.length; i++) {
            Plain storage plain = book.transfers[picks[i]];
            uint256 free = freeOf(book, plain.asset);
            uint256 amount = mix(seed, 27 + i) % (1 + (plain.amount < free ? plain.amount : free));
            bool isGreedy = mix(seed, 30 + i) % 8 == 0;
            if (isGreedy) amount = plain.asset == 0 ? balanceOf(book) : free + 1;
            address asset = [address(token), address(otherToken), address(0)][plain.asset];
            list[i] = CampaignEscrow.TransferReturn(
                asset, book.receiver, amount, plain.transaction, plain.position
            );
        }
    }

    function attackRelease(
        uint256 seed,
        uint256 milestone,
        uint256 round,
        EscrowSignatures.Signature[] memory signed
    ) private view returns (EscrowSignatures.Signature[] memory) {
        uint256 kind = mix(seed, 31) % 4;
        uint256 needed = t.required[milestone];
        if (kind == 0) {
            // Signatures for the previous round, or for the next round.
            uint256 other = round == 0 ? 1 : round - 1;
            return signatures(needed, digest(releaseMessage(milestone, other, ALWAYS)));
        }
        if (kind == 1) {
            return signatures(needed, digest(releaseMessage(milestone, round, ALWAYS - 1)));
        }
        bytes32 hash = digest(releaseMessage(milestone, round, ALWAYS));
        return attack(seed, needed, signed, hash);
    }

    /// Repeats one verifier's signature, uses a forged key, or leaves out signatures.
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

    function refundedOf(Book storage book) private view returns (uint256 sum) {
        for (uint256 i = 0; i < 4; i++) sum += book.refunded[i];
        sum += book.returned[0];
    }

    /// The share that a donor can still get, by the rule in the documentation.
    function refundOf(Book storage book, uint256 donor) private view returns (uint256) {
        if (!isFailed(book) || book.refunded[donor] > 0) return 0;
        return shareOf(book, book.given[donor]);
    }

    function shareOf(Book storage book, uint256 given) private view returns (uint256) {
        uint256 total = book.pool + book.released;
        return total == 0 ? 0 : given * book.pool / total;
    }

    /// The amount of an asset that a quorum can pay, without the reserve of the recorded donors.
    function freeOf(Book storage book, uint256 asset) private view returns (uint256) {
        if (asset > 0) return book.otherReceived - book.returned[asset];
        return isFailed(book) ? balanceOf(book) - owed(book) : 0;
    }

    /// True if the contract accepts a list that the quorum signed.
    function isPayable(
        Book storage book,
        uint256[] memory picks,
        CampaignEscrow.TransferReturn[] memory list
    ) private view returns (bool) {
        if (isRunning(book) || list.length == 0) return false;
        uint256[3] memory free = [freeOf(book, 0), freeOf(book, 1), freeOf(book, 2)];
        for (uint256 i = 0; i < list.length; i++) {
            uint256 asset = book.transfers[picks[i]].asset;
            if (isUsed(book, picks, i) || list[i].amount > free[asset]) return false;
            if (asset == 0 && !isFailed(book)) return false;
            free[asset] -= list[i].amount;
        }
        return true;
    }

    /// The reserve: the shares of all recorded donations minus the paid refunds.
    function owed(Book storage book) private view returns (uint256) {
        if (!isFailed(book)) return 0;
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
        return isFunding(book) || book.state == CampaignEscrow.State.Active;
    }

    function isFunding(Book storage book) private view returns (bool) {
        return book.state == CampaignEscrow.State.Funding;
    }

    function isEnded(Book storage book) private view returns (bool) {
        return !isRunning(book);
    }

    function isFailed(Book storage book) private view returns (bool) {
        return book.state == CampaignEscrow.State.Failed;
    }

    function isDone(Book storage book) private view returns (bool) {
        return book.state == CampaignEscrow.State.Done;
    }

    function mayDonate(Book storage book) private view returns (bool) {
        bool isEarly = book.releasedMask == 0 && block.timestamp <= book.terms.deadline;
        return isRunning(book) && isEarly;
    }

    function isFunded(Book storage book) private view returns (bool) {
        return isFunding(book) && balanceOf(book) >= book.terms.target;
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
        if (isFunding(book)) return block.timestamp > book.terms.activateBy;
        if (book.state == CampaignEscrow.State.Active) return block.timestamp > book.terms.expiry;
        bool isOpen = book.terms.surplus == 0 || block.timestamp > book.terms.expiry;
        return isDone(book) && isOpen && balanceOf(book) > 0;
    }

    function hasRefund(Book storage book) private view returns (bool) {
        for (uint256 i = 0; i < 4; i++) if (refundOf(book, i) > 0) return true;
        return false;
    }

    function hasTransfers(Book storage book) private view returns (bool) {
        return isEnded(book) && book.transfers.length > 0;
    }

    // Helpers

    /// The first campaign from a random position on that `fits`, or else the one at this position.
    function pick(uint256 seed, function(Book storage) view returns (bool) fits)
        private returns (Book storage)
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

    /// Calls the escrow. The call must succeed exactly if the books expect success.
    function attempt(Call call, bytes memory data, bool expected) private returns (bool ok) {
        (ok,) = address(escrow).call(data);
        assert(ok == expected);
        count(call, ok);
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
}
