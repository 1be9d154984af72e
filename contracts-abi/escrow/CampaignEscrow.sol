// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
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
/// `donateWithAuthorization` are recorded here and refunded without a signature. All other
/// transfers go back by a list that the quorum of verifiers signs.
contract CampaignEscrow is EscrowSignatures, ReentrancyGuardTransient {
    using EscrowTerms for bytes;
    using Math for uint256;
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    /// None: before {open}, so only during the deployment. Funding and Active may end in Done or
    /// Failed. Done may end in Failed, with Reason.None, so that donors get the surplus. Failed is
    /// final, and no call leads back to None.
    enum State { None, Funding, Active, Done, Failed }

    /// None: the campaign did not fail. All milestones are released and the surplus is refunded.
    enum Reason { None, TargetMissed, Expired, Cancelled, Terminated }

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

    /// A transfer that the escrow did not record, and its payment back.
    struct TransferReturn {
        /// address(0) is the native coin.
        address asset;
        address receiver;
        uint256 amount;
        /// The hash of the transaction that paid the escrow.
        bytes32 transaction;
        /// The index of the Transfer log in its receipt. Negative for a payment in the native coin.
        int256 position;
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
        uint256 indexed milestone, address recipient, address asset, uint256 amount,
        bytes32 evidenceHash, uint256 signers
    );
    event SurplusReleased(address recipient, address asset, uint256 amount);
    /// @param pool the balance at the failure, from which donors get their shares
    /// @param total the pool and all released money, and at least `recorded`
    /// @param recorded the sum of the recorded donations
    event Failed(
        Reason reason, uint256 pool, uint256 total, uint256 recorded, bytes32 reasonHash
    );
    event Refunded(address indexed donor, address indexed asset, uint256 amount);
    event TransferReturned(
        address indexed receiver, address indexed asset, uint256 amount,
        bytes32 indexed transaction, int256 position
    );

    error WrongState(State state);
    error WrongTime();
    error WrongAmount();
    /// @notice This account may not do this, or no money can go back to it.
    error WrongCaller();
    error NothingDue();
    /// @notice The payment would take money that is reserved for other donors.
    error ReservedForDonors();

    bytes32 private constant RELEASE_TYPE = keccak256(
        "MilestoneRelease(bytes32 campaign,uint256 milestone,uint256 round,address asset,uint256 amount,address recipient,bytes32 evidenceHash,uint256 validUntil)"
    );
    bytes32 private constant REJECTION_TYPE = keccak256(
        "MilestoneRejection(bytes32 campaign,uint256 milestone,uint256 round,bytes32 evidenceHash)"
    );
    bytes32 private constant TERMINATION_TYPE = keccak256(
        "CampaignTermination(bytes32 campaign,bytes32 reasonHash,uint256 validUntil)"
    );
    bytes32 private constant RETURN_TYPE = keccak256(
        "TransferReturn(address asset,address receiver,uint256 amount,bytes32 transaction,int256 position)"
    );
    bytes32 private constant RETURNS_TYPE = keccak256(
        "TransferReturns(bytes32 campaign,TransferReturn[] list,uint256 validUntil)TransferReturn(address asset,address receiver,uint256 amount,bytes32 transaction,int256 position)"
    );

    address private immutable _implementation = address(this);

    Progress public progress;
    /// @notice The recorded donations whose refund goes to this donor. 0 after the refund.
    mapping(address donor => uint256) public contributed;
    /// @notice The number of rejections of a milestone.
    mapping(uint256 milestone => uint256) public round;
    /// @notice The balance at the failure, from which refunds are computed. 0 before a failure.
    uint256 public pool;
    /// @notice The part of the balance that is reserved for recorded donors after a failure.
    uint256 public recordedOwed;
    /// @notice Whether the transfer at this position of this transaction went back.
    mapping(bytes32 transaction => mapping(int256 position => bool)) public isReturned;
    uint256 private _surplusReleased;
    /// The sum of the returned transfers in the asset of the terms.
    uint256 private _returned;

    /// @notice Opens the donations. The factory calls this in the transaction of the deployment.
    function open() external nonReentrant {
        terms(); // The implementation refuses this.
        _requireState(State.None, State.None);
        progress.state = State.Funding;
    }

    /// @notice Takes a donation that the caller has approved, until the deadline or the first
    /// release, so that no donor pays for an earlier release. Later plain transfers share its cost.
    /// @param refundTo receives the refund if the campaign fails
    function donate(uint256 amount, address refundTo) external nonReentrant {
        bytes memory terms_ = terms();
        uint256 before = _beforeDonation(terms_, refundTo);
        IERC20(terms_.asset()).safeTransferFrom(msg.sender, address(this), amount);
        _record(terms_, msg.sender, refundTo, amount, before);
    }

    /// @notice Takes a donation by an ERC-3009 authorization of `from`, as long as {donate} does.
    /// @param salt makes the nonce unique. The nonce is keccak256(abi.encode(escrow, refundTo,
    /// salt)), so the sender of the transaction cannot change `refundTo`.
    function donateWithAuthorization(
        address from, address refundTo, uint256 amount,
        uint256 validBefore, bytes32 salt, bytes calldata signature
    ) external nonReentrant {
        bytes memory terms_ = terms();
        uint256 before = _beforeDonation(terms_, refundTo);
        bytes32 nonce = keccak256(abi.encode(address(this), refundTo, salt));
        IERC3009(terms_.asset()).receiveWithAuthorization(
            from, address(this), amount, 0, validBefore, nonce, signature
        );
        _record(terms_, from, refundTo, amount, before);
    }

    /// @notice Activates a campaign whose balance reaches the target, for example by transfers.
    function activate() external nonReentrant {
        bytes memory terms_ = terms();
        _requireState(State.Funding, State.Funding);
        _requireUntil(terms_.activateBy());
        _activateIfFunded(terms_, _balance(terms_));
        if (progress.state != State.Active) revert WrongAmount();
    }

    /// @notice Pays a milestone to the recipient, until the expiry. The first release ends
    /// {donate}.
    /// @param validUntil the last second for which the verifiers signed
    function release(
        uint256 milestone, bytes32 evidenceHash, uint256 validUntil,
        Signature[] calldata signatures
    ) external nonReentrant {
        bytes memory terms_ = terms();
        _activateIfFunded(terms_, _balance(terms_));
        _requireState(State.Active, State.Active);
        _requireUntil(Math.min(validUntil, terms_.expiry()));
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
        external nonReentrant
    {
        bytes memory terms_ = terms();
        _requireState(State.Funding, State.Active);
        _requireUnreleased(terms_, milestone);
        uint256 ended = round[milestone];
        bytes32 hash = keccak256(
            abi.encode(REJECTION_TYPE, terms_.campaign(), milestone, ended, evidenceHash)
        );
        address verifier = _requireOneSignature(terms_, signature, hash);
        round[milestone] = ended + 1;
        emit MilestoneRejected(milestone, ended, verifier, evidenceHash);
    }

    /// @notice Pays what is left after the last milestone to the recipient, if the terms say so.
    /// After the expiry any account may {close} the escrow instead, and donors get the surplus.
    function releaseSurplus() external nonReentrant {
        bytes memory terms_ = terms();
        if (!terms_.surplusToRecipient()) revert WrongState(progress.state);
        _requireState(State.Done, State.Done);
        uint256 amount = _balance(terms_);
        if (amount == 0) revert NothingDue();
        _surplusReleased = _surplusReleased.saturatingAdd(amount);
        (address recipient, address asset) = (terms_.recipient(), terms_.asset());
        emit SurplusReleased(recipient, asset, amount);
        IERC20(asset).safeTransfer(recipient, amount);
    }

    /// @notice Opens the refunds of a campaign that missed its target or its expiry. After the last
    /// milestone, also refunds the surplus: at once if the terms give it to the donors, or else
    /// after the expiry, because the token may block the recipient.
    function close() external nonReentrant {
        bytes memory terms_ = terms();
        State current = progress.state;
        if (current == State.Funding) {
            if (block.timestamp <= terms_.activateBy()) revert WrongTime();
            _fail(terms_, Reason.TargetMissed, 0);
        } else if (current == State.Active) {
            if (block.timestamp <= terms_.expiry()) revert WrongTime();
            _fail(terms_, Reason.Expired, 0);
        } else if (current == State.Done) {
            bool isEarly = block.timestamp <= terms_.expiry();
            if (isEarly && terms_.surplusToRecipient()) revert WrongTime();
            if (_balance(terms_) == 0) revert NothingDue();
            _fail(terms_, Reason.None, 0);
        } else {
            revert WrongState(current);
        }
    }

    /// @notice The creator gives back all money that is not released.
    function cancel() external nonReentrant {
        bytes memory terms_ = terms();
        if (msg.sender != terms_.creator()) revert WrongCaller();
        _requireState(State.Funding, State.Active);
        _fail(terms_, Reason.Cancelled, 0);
    }

    /// @notice The quorum of verifiers gives back all money that is not released.
    /// @param validUntil the last second for which the verifiers signed
    function terminate(bytes32 reasonHash, uint256 validUntil, Signature[] calldata signatures)
        external nonReentrant
    {
        bytes memory terms_ = terms();
        _requireState(State.Funding, State.Active);
        _requireUntil(validUntil);
        bytes32 hash = keccak256(
            abi.encode(TERMINATION_TYPE, terms_.campaign(), reasonHash, validUntil)
        );
        _requireSignatures(terms_, signatures, terms_.quorum(), hash);
        _fail(terms_, Reason.Terminated, reasonHash);
    }

    /// @notice Pays a recorded donor's share to the donor.
    function refund(address donor) external nonReentrant returns (uint256 amount) {
        _requireState(State.Failed, State.Failed);
        amount = refundable(donor);
        if (amount == 0) revert NothingDue();
        contributed[donor] = 0;
        recordedOwed -= amount;
        address asset = terms().asset();
        emit Refunded(donor, asset, amount);
        IERC20(asset).safeTransfer(donor, amount);
    }

    /// @notice Pays back transfers that the escrow did not record, each at most once. The quorum of
    /// verifiers chooses receivers and amounts. The asset of the terms goes back only in Failed,
    /// and other assets in Done too. A payment that fails reverts the call, so that no transfer is
    /// marked without its payment: the verifiers then sign a list without a blocked receiver.
    /// @param validUntil the last second for which the verifiers signed
    function returnTransfers(
        TransferReturn[] calldata list, uint256 validUntil, Signature[] calldata signatures
    ) external nonReentrant {
        bytes memory terms_ = terms();
        _requireState(State.Done, State.Failed);
        _requireUntil(validUntil);
        if (list.length == 0) revert NothingDue();
        bytes32 hash = _hashReturns(terms_, list, validUntil);
        _requireSignatures(terms_, signatures, terms_.quorum(), hash);
        for (uint256 i = 0; i < list.length; i++) _markReturned(terms_, list[i]);
        for (uint256 i = 0; i < list.length; i++) _payReturn(terms_, list[i]);
    }

    /// @notice The packed terms, as {EscrowTerms} describes them. The implementation has none.
    function terms() public view returns (bytes memory) {
        if (address(this) == _implementation) revert WrongCaller();
        return Clones.fetchCloneArgs(address(this));
    }

    /// @notice All money that the recipient got: the released milestones and the surplus. This sum
    /// and the next ones end at 2^256 - 1, which only a token without a supply limit can reach.
    function released() public view returns (uint256) {
        uint256 milestones = terms().sumOfMilestones(progress.releasedMilestones);
        return _surplusReleased.saturatingAdd(milestones);
    }

    /// @notice All money that went back in the asset of the terms.
    function refunded() public view returns (uint256) {
        return _returned.saturatingAdd(_shareOf(progress.recorded) - recordedOwed);
    }

    /// @notice The pool and all released money: after a failure, a refund is the donation, times the
    /// pool, divided by this sum. The sum is at least the recorded donations, so donors share the
    /// rest if the token took a part of the balance away.
    function total() public view returns (uint256) {
        return pool.saturatingAdd(released()).max(progress.recorded);
    }

    /// @notice The amount that `refund` would pay now.
    function refundable(address donor) public view returns (uint256) {
        return _shareOf(contributed[donor]);
    }

    /// @dev Checks that donations are open. Returns the balance before the donation.
    function _beforeDonation(bytes memory terms_, address refundTo)
        private view returns (uint256)
    {
        _requireState(State.Funding, State.Active);
        if (progress.releasedMilestones != 0) revert WrongState(progress.state);
        _requireUntil(terms_.deadline());
        _requirePayable(terms_, refundTo);
        return _balance(terms_);
    }

    /// @dev A token with a fee delivers less than `amount`. More than `amount` is not the payer's
    /// money: a token with hooks lets a payer run transfers of other donors in between.
    function _record(
        bytes memory terms_, address payer, address refundTo, uint256 amount, uint256 before
    ) private {
        uint256 balance = _balance(terms_);
        uint256 credit = Math.min(balance - before, amount);
        if (credit == 0) revert WrongAmount();
        contributed[refundTo] += credit;
        progress.recorded += credit.toUint208();
        emit Donated(refundTo, payer, credit);
        _activateIfFunded(terms_, balance);
    }

    function _markReleased(bytes memory terms_, uint256 milestone) private {
        uint256 bitmap = progress.releasedMilestones | (1 << milestone);
        progress.releasedMilestones = uint32(bitmap);
        if (bitmap == (1 << terms_.milestoneCount()) - 1) progress.state = State.Done;
    }

    function _activateIfFunded(bytes memory terms_, uint256 balance) private {
        if (progress.state != State.Funding || balance < terms_.target()) return;
        if (block.timestamp > terms_.activateBy()) return;
        progress.state = State.Active;
        emit Activated(balance);
    }

    /// @dev Rounded down, the shares of all recorded donors sum to at most the reserved amount.
    function _fail(bytes memory terms_, Reason reason, bytes32 reasonHash) private {
        progress.state = State.Failed;
        progress.reason = reason;
        pool = _balance(terms_);
        recordedOwed = _shareOf(progress.recorded);
        emit Failed(reason, pool, total(), progress.recorded, reasonHash);
    }

    /// @dev The share of the pool for a contribution, rounded down. 0 before a failure.
    function _shareOf(uint256 contribution) private view returns (uint256) {
        return pool == 0 ? 0 : Math.mulDiv(contribution, pool, total());
    }

    function _markReturned(bytes memory terms_, TransferReturn calldata one) private {
        if (isReturned[one.transaction][one.position]) revert NothingDue();
        // A payment to itself would count as returned, and the money would stay.
        _requirePayable(terms_, one.receiver);
        isReturned[one.transaction][one.position] = true;
        if (one.asset == terms_.asset()) {
            _requireState(State.Failed, State.Failed);
            _returned = _returned.saturatingAdd(one.amount);
        }
        emit TransferReturned(
            one.receiver, one.asset, one.amount, one.transaction, one.position
        );
    }

    /// @dev A token can have two addresses. A payment by the other address is refused, because it
    /// would take from the asset of the terms.
    function _payReturn(bytes memory terms_, TransferReturn calldata one) private {
        bool isTermsAsset = one.asset == terms_.asset();
        uint256 reserved = isTermsAsset ? recordedOwed : _balance(terms_);
        if (one.asset == address(0)) Address.sendValue(payable(one.receiver), one.amount);
        else IERC20(one.asset).safeTransfer(one.receiver, one.amount);
        if (_balance(terms_) < reserved) revert ReservedForDonors();
    }

    function _hashReturns(
        bytes memory terms_, TransferReturn[] calldata list, uint256 validUntil
    ) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](list.length);
        for (uint256 i = 0; i < list.length; i++) {
            hashes[i] = keccak256(abi.encode(RETURN_TYPE, list[i]));
        }
        bytes32 listHash = keccak256(abi.encodePacked(hashes));
        return keccak256(abi.encode(RETURNS_TYPE, terms_.campaign(), listHash, validUntil));
    }

    function _hashRelease(
        bytes memory terms_, uint256 milestone, uint256 amount,
        bytes32 evidenceHash, uint256 validUntil
    ) private view returns (bytes32) {
        bytes memory head = abi.encode(
            RELEASE_TYPE, terms_.campaign(), milestone, round[milestone], terms_.asset(), amount
        );
        return keccak256(
            bytes.concat(head, abi.encode(terms_.recipient(), evidenceHash, validUntil))
        );
    }

    /// @dev The states are in the order in which an escrow passes them.
    function _requireState(State first, State last) private view {
        State current = progress.state;
        if (current < first || current > last) revert WrongState(current);
    }

    function _requireUntil(uint256 last) private view {
        if (block.timestamp > last) revert WrongTime();
    }

    function _requirePayable(bytes memory terms_, address account) private view {
        bool isReal = account != address(0) && account != address(this);
        if (!isReal || account == terms_.asset()) revert WrongCaller();
    }

    function _requireUnreleased(bytes memory terms_, uint256 milestone) private view {
        bool exists = milestone < terms_.milestoneCount();
        if (!exists || (progress.releasedMilestones >> milestone) & 1 == 1) revert NothingDue();
    }

    /// @dev 0 if the token is not on this chain. Then the escrow can still fail, and the quorum can
    /// give back other assets that were sent to the same address on the wrong chain.
    function _balance(bytes memory terms_) private view returns (uint256) {
        address asset = terms_.asset();
        return asset.code.length == 0 ? 0 : IERC20(asset).balanceOf(address(this));
    }
}
