// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ReentrancyGuardTransient} from
    "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EscrowSignatures} from "./EscrowSignatures.sol";
import {EscrowTerms} from "./EscrowTerms.sol";
import {IERC3009} from "./IERC3009.sol";

/// @title Holds the donations of one campaign in one ERC-20 token.
/// @notice Pays each milestone to the recipient when enough verifiers have signed. If the campaign
/// fails, donors get their share back. There is no owner, upgrade, pause, fee or delegatecall.
/// Any account may call every function except `cancel`.
/// @dev Runs behind minimal clones, whose code ends with the terms. Donors of `donate` and
/// `donateWithAuthorization` are recorded here and refunded without a signature. Donors by plain
/// transfer are refunded by a Merkle root that the quorum of verifiers signs.
contract CampaignEscrow is EscrowSignatures, ReentrancyGuardTransient {
    using EscrowTerms for bytes;
    using Math for uint256;
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    /// None: before {open}, so only during the deployment. Funding and Active may end in Done or
    /// Failed. Done may end in Failed, with Reason.None, so that donors get the surplus. Failed is
    /// final, and no call leads back to None.
    enum State {
        None,
        Funding,
        Active,
        Done,
        Failed
    }

    /// None: the campaign did not fail. All milestones are released and the surplus is refunded.
    enum Reason {
        None,
        TargetMissed,
        Expired,
        Cancelled,
        Terminated
    }

    /// One storage slot, which {open} writes in the deployment. The first donation then changes a
    /// slot that is not 0, and this costs 17 100 gas less.
    struct Progress {
        State state;
        Reason reason;
        /// Bit i is set if milestone i is released.
        uint32 releasedMilestones;
        /// The sum of the recorded donations. A donation that does not fit is refused.
        uint208 recorded;
    }

    struct Proposal {
        /// The number of proposals so far.
        uint64 index;
        /// The first second for claims by the newest root.
        uint64 readyAt;
    }

    /// @param donor receives the refund of this donation
    /// @param payer paid the donation
    event Donated(address indexed donor, address indexed payer, uint256 amount);
    event Activated(uint256 balance);
    /// @param round the round that ended: its approvals count no more
    event MilestoneRejected(
        uint256 indexed milestone, uint256 round, address verifier, bytes32 evidenceHash
    );
    /// @param signers bit i is set if verifier i signed
    event MilestoneReleased(
        uint256 indexed milestone,
        address recipient,
        address asset,
        uint256 amount,
        bytes32 evidenceHash,
        uint256 signers
    );
    event SurplusReleased(address recipient, address asset, uint256 amount);
    /// @param pool the balance at the failure, from which donors get their shares
    /// @param total the pool and all released money, and at least `recorded`
    /// @param recorded the sum of the recorded donations
    event Failed(
        Reason reason, uint256 pool, uint256 total, uint256 recorded, bytes32 reasonHash
    );
    event RootProposed(uint256 indexed index, bytes32 root, bytes32 dataHash, uint256 readyAt);
    event RootVetoed(uint256 indexed index, bytes32 root, address verifier);
    /// @param recorded true for a refund of recorded donations, false for a claim by a root
    event Refunded(address indexed donor, address indexed asset, uint256 amount, bool recorded);

    error WrongState(State state);
    error WrongTime();
    error WrongAmount();
    /// @notice This account may not do this, or refunds cannot go to it.
    error WrongCaller();
    error NothingDue();
    error InvalidProof();
    /// @notice The payment would take money that is reserved for other donors.
    error ReservedForDonors();

    bytes32 private constant RELEASE_TYPE = keccak256(
        "MilestoneRelease(bytes32 campaign,uint256 milestone,uint256 round,address asset,uint256 amount,address recipient,bytes32 evidenceHash,uint256 validUntil)"
    );
    bytes32 private constant REJECTION_TYPE = keccak256(
        "MilestoneRejection(bytes32 campaign,uint256 milestone,uint256 round,bytes32 evidenceHash)"
    );
    bytes32 private constant TERMINATION_TYPE =
        keccak256("CampaignTermination(bytes32 campaign,bytes32 reasonHash)");
    bytes32 private constant ROOT_TYPE =
        keccak256("RefundRoot(bytes32 campaign,uint256 index,bytes32 root,bytes32 dataHash)");
    bytes32 private constant VETO_TYPE =
        keccak256("RefundRootVeto(bytes32 campaign,uint256 index,bytes32 root)");

    address private immutable _implementation = address(this);

    Progress private _progress;
    uint256 private _surplusReleased;
    mapping(address donor => uint256) private _contributed;
    mapping(uint256 milestone => uint256) private _round;

    uint256 private _pool;
    uint256 private _recordedOwed;

    Proposal private _proposal;
    bytes32 private _newestRoot;
    /// The root before the newest one. It is in force until the newest one is ready.
    bytes32 private _earlierRoot;
    /// Bit i is set if verifier i vetoed the root.
    mapping(bytes32 root => uint256 bitmap) private _vetoers;
    mapping(address asset => mapping(address donor => uint256)) private _claimed;
    /// The sum of the claims in the asset of the terms.
    uint256 private _claimedOfAsset;

    /// @notice Opens the donations. The factory calls this in the transaction of the deployment.
    function open() external {
        _requireClone();
        _requireState(State.None);
        _progress.state = State.Funding;
    }

    /// @notice Takes a donation that the caller has approved, until the deadline or the first
    /// release, so that no donor pays for an earlier release. Later plain transfers share its cost.
    /// @param refundTo receives the refund if the campaign fails
    function donate(uint256 amount, address refundTo) external nonReentrant {
        bytes memory terms_ = _terms();
        uint256 before = _beforeDonation(terms_, refundTo);
        IERC20(terms_.asset()).safeTransferFrom(msg.sender, address(this), amount);
        _record(terms_, msg.sender, refundTo, amount, before);
    }

    /// @notice Takes a donation by an ERC-3009 authorization of `from`, as long as {donate} does.
    /// @param salt makes the nonce unique. The nonce is keccak256(abi.encode(escrow, refundTo,
    /// salt)), so the sender of the transaction cannot change `refundTo`.
    function donateWithAuthorization(
        address from,
        address refundTo,
        uint256 amount,
        uint256 validBefore,
        bytes32 salt,
        bytes calldata signature
    ) external nonReentrant {
        bytes memory terms_ = _terms();
        uint256 before = _beforeDonation(terms_, refundTo);
        bytes32 nonce = keccak256(abi.encode(address(this), refundTo, salt));
        IERC3009(terms_.asset()).receiveWithAuthorization(
            from, address(this), amount, 0, validBefore, nonce, signature
        );
        _record(terms_, from, refundTo, amount, before);
    }

    /// @notice Activates a campaign whose balance reaches the target, for example by transfers.
    function activate() external nonReentrant {
        bytes memory terms_ = _terms();
        _requireState(State.Funding);
        if (block.timestamp > terms_.activateBy()) revert WrongTime();
        _activateIfFunded(terms_, _balance(terms_));
        if (_progress.state != State.Active) revert WrongAmount();
    }

    /// @notice Pays a milestone to the recipient, until the expiry. The first release ends
    /// {donate}.
    /// @param validUntil the last second for which the verifiers signed
    function release(
        uint256 milestone,
        bytes32 evidenceHash,
        uint256 validUntil,
        Signature[] calldata signatures
    ) external nonReentrant {
        bytes memory terms_ = _terms();
        _activateIfFunded(terms_, _balance(terms_));
        _requireState(State.Active);
        if (block.timestamp > validUntil || block.timestamp > terms_.expiry()) revert WrongTime();
        _requireUnreleased(terms_, milestone);
        (uint256 amount, uint256 required) = terms_.milestone(milestone);
        bytes32 hash = _hashRelease(terms_, milestone, amount, evidenceHash, validUntil);
        uint256 signers = _requireSignatures(terms_, signatures, required, hash);

        _markReleased(terms_, milestone);
        address recipient = terms_.recipient();
        emit MilestoneReleased(
            milestone, recipient, terms_.asset(), amount, evidenceHash, signers
        );
        IERC20(terms_.asset()).safeTransfer(recipient, amount);
    }

    /// @notice Ends the round of a milestone, so that earlier approvals count no more. One
    /// verifier's signature is enough, in each round again: each verifier can stop a milestone.
    /// Termination and expiry then give the money back.
    function reject(uint256 milestone, bytes32 evidenceHash, Signature calldata signature)
        external
        nonReentrant
    {
        bytes memory terms_ = _terms();
        _requireRunning();
        _requireUnreleased(terms_, milestone);
        uint256 ended = _round[milestone];
        bytes32 hash = keccak256(
            abi.encode(REJECTION_TYPE, terms_.campaign(), milestone, ended, evidenceHash)
        );
        address verifier = _requireOneSignature(terms_, signature, hash);
        _round[milestone] = ended + 1;
        emit MilestoneRejected(milestone, ended, verifier, evidenceHash);
    }

    /// @notice Pays what is left after the last milestone to the recipient, if the terms say so.
    /// As long as the token blocks the recipient, this surplus stays in the escrow.
    function releaseSurplus() external nonReentrant {
        bytes memory terms_ = _terms();
        if (!terms_.surplusToRecipient()) revert WrongState(_progress.state);
        _requireState(State.Done);
        uint256 amount = _balance(terms_);
        if (amount == 0) revert NothingDue();
        _surplusReleased = _surplusReleased.saturatingAdd(amount);
        (address recipient, address asset) = (terms_.recipient(), terms_.asset());
        emit SurplusReleased(recipient, asset, amount);
        IERC20(asset).safeTransfer(recipient, amount);
    }

    /// @notice Opens the refunds of a campaign that missed its target or its expiry. Also refunds
    /// the surplus after the last milestone, if the terms give it to the donors.
    function close() external nonReentrant {
        bytes memory terms_ = _terms();
        State current = _progress.state;
        if (current == State.Funding) {
            if (block.timestamp <= terms_.activateBy()) revert WrongTime();
            _fail(terms_, Reason.TargetMissed, 0);
        } else if (current == State.Active) {
            if (block.timestamp <= terms_.expiry()) revert WrongTime();
            _fail(terms_, Reason.Expired, 0);
        } else if (current == State.Done && !terms_.surplusToRecipient()) {
            if (_balance(terms_) == 0) revert NothingDue();
            _fail(terms_, Reason.None, 0);
        } else {
            revert WrongState(current);
        }
    }

    /// @notice The creator gives back all money that is not released.
    function cancel() external nonReentrant {
        bytes memory terms_ = _terms();
        if (msg.sender != terms_.creator()) revert WrongCaller();
        _requireRunning();
        _fail(terms_, Reason.Cancelled, 0);
    }

    /// @notice The quorum of verifiers gives back all money that is not released.
    function terminate(bytes32 reasonHash, Signature[] calldata signatures) external nonReentrant {
        bytes memory terms_ = _terms();
        _requireRunning();
        bytes32 hash = keccak256(abi.encode(TERMINATION_TYPE, terms_.campaign(), reasonHash));
        _requireSignatures(terms_, signatures, terms_.quorum(), hash);
        _fail(terms_, Reason.Terminated, reasonHash);
    }

    /// @notice Pays a recorded donor's share to the donor.
    function refund(address donor) external nonReentrant returns (uint256 amount) {
        bytes memory terms_ = _terms();
        _requireState(State.Failed);
        amount = _shareOf(terms_, _contributed[donor]);
        if (amount == 0) revert NothingDue();
        _contributed[donor] = 0;
        _recordedOwed -= amount;
        emit Refunded(donor, terms_.asset(), amount, true);
        IERC20(terms_.asset()).safeTransfer(donor, amount);
    }

    /// @notice Proposes the Merkle root of the refunds for plain transfers. It replaces a root
    /// that is not ready yet. The verifiers sign `rootIndex()`.
    /// @param dataHash names the data from which the root is computed
    function proposeRoot(bytes32 newRoot, bytes32 dataHash, Signature[] calldata signatures)
        external
        nonReentrant
    {
        bytes memory terms_ = _terms();
        _requireEnded();
        if (newRoot == 0) revert InvalidProof();
        Proposal memory last = _proposal;
        bytes32 hash = keccak256(
            abi.encode(ROOT_TYPE, terms_.campaign(), uint256(last.index), newRoot, dataHash)
        );
        _requireSignatures(terms_, signatures, terms_.quorum(), hash);
        if (_newestRoot != 0 && block.timestamp >= last.readyAt) _earlierRoot = _newestRoot;
        _newestRoot = newRoot;
        uint256 readyAt = block.timestamp + terms_.challenge();
        _proposal = Proposal(last.index + 1, uint64(readyAt));
        emit RootProposed(last.index, newRoot, dataHash, readyAt);
    }

    /// @notice Removes a root that is not ready yet, by one verifier's signature. Each verifier can
    /// veto a root once, so a minority can delay refunds and not stop them.
    function vetoRoot(Signature calldata signature) external nonReentrant {
        bytes memory terms_ = _terms();
        bytes32 vetoed = _newestRoot;
        if (vetoed == 0 || block.timestamp >= _proposal.readyAt) revert NothingDue();
        uint256 bit = 1 << signature.verifier;
        if (_vetoers[vetoed] & bit != 0) revert NothingDue();
        uint256 index = _proposal.index - 1;
        bytes32 hash = keccak256(abi.encode(VETO_TYPE, terms_.campaign(), index, vetoed));
        address verifier = _requireOneSignature(terms_, signature, hash);
        _vetoers[vetoed] |= bit;
        _newestRoot = 0;
        emit RootVetoed(index, vetoed, verifier);
    }

    /// @notice Pays a donor what the root gives and earlier claims have not paid. The asset of the
    /// terms is paid only in Failed, other assets in Done too.
    /// @param asset address(0) is the native coin
    /// @param cumulative the sum of all payments to the donor, as the leaf says
    function claim(address asset, address donor, uint256 cumulative, bytes32[] calldata proof)
        external
        nonReentrant
        returns (uint256 amount)
    {
        bytes memory terms_ = _terms();
        bool isTermsAsset = asset == terms_.asset();
        if (isTermsAsset) _requireState(State.Failed);
        _requireEnded();
        // A payment to itself would count as a refund, and the money would stay.
        if (donor == address(this)) revert WrongCaller();
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(asset, donor, cumulative))));
        if (!MerkleProof.verifyCalldata(proof, root(), leaf)) revert InvalidProof();
        uint256 paid = _claimed[asset][donor];
        if (cumulative <= paid) revert NothingDue();
        _claimed[asset][donor] = cumulative;
        amount = cumulative - paid;
        emit Refunded(donor, asset, amount, false);
        if (isTermsAsset) _payByRoot(terms_, donor, amount);
        else _payOtherAsset(terms_, asset, donor, amount);
    }

    /// @notice The packed terms, as {EscrowTerms} describes them.
    function terms() external view returns (bytes memory) {
        return _terms();
    }

    function state() external view returns (State) {
        return _progress.state;
    }

    /// @notice All money that ever arrived in the asset of the terms. This sum and the next two end
    /// at 2^256 - 1, which only a token without a supply limit can reach.
    function received() external view returns (uint256) {
        return released().saturatingAdd(refunded()).saturatingAdd(_balance(_terms()));
    }

    /// @notice All money that the recipient got.
    function released() public view returns (uint256) {
        return _surplusReleased.saturatingAdd(_releasedSum(_terms()));
    }

    /// @notice All money that donors got back in the asset of the terms.
    function refunded() public view returns (uint256) {
        uint256 reserved = _shareOf(_terms(), _progress.recorded);
        return _claimedOfAsset.saturatingAdd(reserved - _recordedOwed);
    }

    /// @notice The sum of the recorded donations.
    function recorded() external view returns (uint256) {
        return _progress.recorded;
    }

    /// @notice The part of the balance that is reserved for recorded donors after a failure.
    function recordedOwed() external view returns (uint256) {
        return _recordedOwed;
    }

    /// @notice The recorded donations whose refund goes to this donor. 0 after the refund.
    function contributed(address donor) external view returns (uint256) {
        return _contributed[donor];
    }

    /// @notice The amount that `refund` would pay now.
    function refundable(address donor) external view returns (uint256) {
        return _shareOf(_terms(), _contributed[donor]);
    }

    /// @notice The number of rejections of a milestone.
    function round(uint256 milestone) external view returns (uint256) {
        return _round[milestone];
    }

    /// @notice Bit i is set if milestone i is released.
    function releasedMilestones() external view returns (uint256 bitmap) {
        return _progress.releasedMilestones;
    }

    /// @notice The amounts from which refunds are computed. All 0 before a failure. In Failed, the
    /// reason None means that the surplus is refunded: see `state`.
    function failure() external view returns (Reason reason, uint256 pool, uint256 total) {
        if (_progress.state != State.Failed) return (Reason.None, 0, 0);
        return (_progress.reason, _pool, _total(_terms()));
    }

    /// @notice The root in force, or 0.
    function root() public view returns (bytes32) {
        bool isNewestReady = _newestRoot != 0 && block.timestamp >= _proposal.readyAt;
        return isNewestReady ? _newestRoot : _earlierRoot;
    }

    /// @notice The root that waits, or 0.
    function pendingRoot() external view returns (bytes32 pending, uint256 readyAt) {
        if (_newestRoot == 0 || block.timestamp >= _proposal.readyAt) return (0, 0);
        return (_newestRoot, _proposal.readyAt);
    }

    /// @notice The index that the next proposal has, which is the number of proposals so far.
    function rootIndex() external view returns (uint256) {
        return _proposal.index;
    }

    /// @notice The sum of the claims that a donor got by roots.
    function claimed(address asset, address donor) external view returns (uint256) {
        return _claimed[asset][donor];
    }

    /// @dev Checks that donations are open. Returns the balance before the donation.
    function _beforeDonation(bytes memory terms_, address refundTo)
        private
        view
        returns (uint256)
    {
        _requireRunning();
        if (_progress.releasedMilestones != 0) revert WrongState(_progress.state);
        if (block.timestamp > terms_.deadline()) revert WrongTime();
        bool isReal = refundTo != address(0) && refundTo != address(this);
        if (!isReal || refundTo == terms_.asset()) revert WrongCaller();
        return _balance(terms_);
    }

    /// @dev A token with a fee delivers less than `amount`. More than `amount` is not the payer's
    /// money: a token with hooks lets a payer run transfers of other donors in between.
    function _record(
        bytes memory terms_,
        address payer,
        address refundTo,
        uint256 amount,
        uint256 before
    ) private {
        uint256 balance = _balance(terms_);
        uint256 credit = Math.min(balance - before, amount);
        if (credit == 0) revert WrongAmount();
        _contributed[refundTo] += credit;
        _progress.recorded += credit.toUint208();
        emit Donated(refundTo, payer, credit);
        _activateIfFunded(terms_, balance);
    }

    function _markReleased(bytes memory terms_, uint256 milestone) private {
        uint256 bitmap = _progress.releasedMilestones | (1 << milestone);
        _progress.releasedMilestones = uint32(bitmap);
        if (bitmap == (1 << terms_.milestoneCount()) - 1) _progress.state = State.Done;
    }

    function _activateIfFunded(bytes memory terms_, uint256 balance) private {
        if (_progress.state != State.Funding || balance < terms_.target()) return;
        if (block.timestamp > terms_.activateBy()) return;
        _progress.state = State.Active;
        emit Activated(balance);
    }

    /// @dev Rounded down, the shares of all recorded donors sum to at most the reserved amount.
    function _fail(bytes memory terms_, Reason reason, bytes32 reasonHash) private {
        _progress.state = State.Failed;
        _progress.reason = reason;
        _pool = _balance(terms_);
        _recordedOwed = _shareOf(terms_, _progress.recorded);
        emit Failed(reason, _pool, _total(terms_), _progress.recorded, reasonHash);
    }

    /// @dev The share of the pool for a contribution, rounded down. 0 before a failure.
    function _shareOf(bytes memory terms_, uint256 contribution) private view returns (uint256) {
        if (_pool == 0) return 0;
        return Math.mulDiv(contribution, _pool, _total(terms_));
    }

    /// @dev Cannot overflow, so a token without a supply limit cannot stop the refunds. If the
    /// token took a part of the balance away, the recorded donors share the rest.
    function _total(bytes memory terms_) private view returns (uint256) {
        return _pool.saturatingAdd(_releasedSum(terms_)).max(_progress.recorded);
    }

    /// @dev The sum of the released milestones. It is at most the target.
    function _releasedSum(bytes memory terms_) private view returns (uint256) {
        return terms_.sumOfMilestones(_progress.releasedMilestones);
    }

    function _payByRoot(bytes memory terms_, address donor, uint256 amount) private {
        _claimedOfAsset = _claimedOfAsset.saturatingAdd(amount);
        IERC20(terms_.asset()).safeTransfer(donor, amount);
        if (_balance(terms_) < _recordedOwed) revert ReservedForDonors();
    }

    /// @dev A token can have two addresses. A payment by the other address is refused, because it
    /// would take from the asset of the terms.
    function _payOtherAsset(bytes memory terms_, address asset, address donor, uint256 amount)
        private
    {
        uint256 before = _balance(terms_);
        if (asset == address(0)) Address.sendValue(payable(donor), amount);
        else IERC20(asset).safeTransfer(donor, amount);
        if (_balance(terms_) < before) revert ReservedForDonors();
    }

    function _hashRelease(
        bytes memory terms_,
        uint256 milestone,
        uint256 amount,
        bytes32 evidenceHash,
        uint256 validUntil
    ) private view returns (bytes32) {
        return keccak256(
            abi.encode(
                RELEASE_TYPE,
                terms_.campaign(),
                milestone,
                _round[milestone],
                terms_.asset(),
                amount,
                terms_.recipient(),
                evidenceHash,
                validUntil
            )
        );
    }

    function _requireState(State needed) private view {
        if (_progress.state != needed) revert WrongState(_progress.state);
    }

    function _requireRunning() private view {
        State current = _progress.state;
        if (current != State.Funding && current != State.Active) revert WrongState(current);
    }

    function _requireEnded() private view {
        State current = _progress.state;
        if (current != State.Done && current != State.Failed) revert WrongState(current);
    }

    function _requireUnreleased(bytes memory terms_, uint256 milestone) private view {
        bool exists = milestone < terms_.milestoneCount();
        if (!exists || (_progress.releasedMilestones >> milestone) & 1 == 1) revert NothingDue();
    }

    /// @dev 0 if the token is not on this chain. Then the escrow can still fail, and a root can
    /// give back other assets that were sent to the same address on the wrong chain.
    function _balance(bytes memory terms_) private view returns (uint256) {
        address asset = terms_.asset();
        return asset.code.length == 0 ? 0 : IERC20(asset).balanceOf(address(this));
    }

    function _terms() private view returns (bytes memory) {
        _requireClone();
        return Clones.fetchCloneArgs(address(this));
    }

    /// @dev The implementation has no terms.
    function _requireClone() private view {
        if (address(this) == _implementation) revert WrongCaller();
    }
}
