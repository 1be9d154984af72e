// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface ITransfer {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Pays others on by calls within its transaction, in every way that tests need. Holds nothing for
/// anybody, and is for development chains only.
contract TestRouter {
    receive() external payable {}

    function forward(address to) external payable {
        _pay(to, msg.value);
    }

    function split(address[] calldata to, uint256[] calldata amounts) external payable {
        for (uint256 i = 0; i < to.length; i++) _pay(to[i], amounts[i]);
    }

    function disperse(address token, address[] calldata to, uint256[] calldata amounts) external {
        for (uint256 i = 0; i < to.length; i++) {
            require(ITransfer(token).transferFrom(msg.sender, to[i], amounts[i]), "transfer");
        }
    }

    /// Pays, then takes it back by failing: the outer call succeeds, and returns the money.
    function payInVain(address to) external payable {
        try this.payAndFail{value: msg.value}(to) {} catch {}
        _pay(msg.sender, address(this).balance);
    }

    function payAndFail(address to) external payable {
        _pay(to, msg.value);
        revert("after all");
    }

    /// Runs creation code with the money: it may keep it, or destroy itself in favour of another.
    function create(bytes calldata code) external payable returns (address made) {
        bytes memory init = code;
        uint256 value = msg.value;
        assembly {
            made := create(value, add(init, 32), mload(init))
        }
        require(made != address(0), "create");
    }

    /// Tells of each payment where EIP-7708 has the chain itself tell of it, before it is made.
    function splitLogged(address log, address[] calldata to, uint256[] calldata amounts) external payable {
        for (uint256 i = 0; i < to.length; i++) {
            TestNativeLog(log).moved(address(this), to[i], amounts[i]);
            _pay(to[i], amounts[i]);
        }
    }

    function _pay(address to, uint256 value) private {
        (bool paid,) = to.call{value: value}("");
        require(paid, "pay");
    }
}

/// Stands at EIP-7708's address on a chain without that fork, and logs what it is told.
contract TestNativeLog {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function moved(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }
}

/// A wallet of one owner that logs as a Safe from 1.3.0 on does: SafeReceived for what arrives, and
/// for what it runs ExecutionSuccess or, where only the inner call fails, ExecutionFailure.
contract TestSafe {
    address private immutable owner;
    uint256 public nonce;

    event SafeReceived(address indexed sender, uint256 value);
    event ExecutionSuccess(bytes32 txHash, uint256 payment);
    event ExecutionFailure(bytes32 txHash, uint256 payment);

    constructor(address owner_) payable {
        owner = owner_;
    }

    receive() external payable {
        emit SafeReceived(msg.sender, msg.value);
    }

    function execTransaction(address to, uint256 value, bytes calldata data) external payable returns (bool success) {
        require(msg.sender == owner, "GS026");
        bytes32 hash = keccak256(abi.encode(address(this), to, value, data, nonce++));
        (success,) = to.call{value: value}(data);
        if (success) emit ExecutionSuccess(hash, 0);
        else emit ExecutionFailure(hash, 0);
    }

    /// What a dishonest account could do: tell of money that never came.
    function pretend(address sender, uint256 value) external {
        emit SafeReceived(sender, value);
    }
}

/// An ERC-4337 account, and the code that an EIP-7702 account delegates to: only an entry point that
/// it was made for, or the account itself, may have it run something.
contract TestAccount {
    address private immutable entryPoint;

    constructor(address entryPoint_) payable {
        entryPoint = entryPoint_;
    }

    receive() external payable {}

    function execute(address to, uint256 value, bytes calldata data) external {
        require(msg.sender == entryPoint || msg.sender == address(this), "caller");
        (bool success, bytes memory result) = to.call{value: value}(data);
        if (success) return;
        assembly {
            revert(add(result, 32), mload(result))
        }
    }
}

/// What ERC-4337's entry points share: an operation that fails leaves the bundle's transaction
/// successful, and is told of by `success` in its event.
abstract contract TestEntryPoint {
    event UserOperationEvent(
        bytes32 indexed userOpHash,
        address indexed sender,
        address indexed paymaster,
        uint256 nonce,
        bool success,
        uint256 actualGasCost,
        uint256 actualGasUsed
    );
    event UserOperationRevertReason(
        bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason
    );
    event BeforeExecution();

    function _run(bytes32 hash, address sender, uint256 nonce, bytes calldata callData) internal {
        uint256 before = gasleft();
        (bool success, bytes memory result) = sender.call(callData);
        if (!success && result.length > 0) emit UserOperationRevertReason(hash, sender, nonce, result);
        uint256 used = before - gasleft();
        emit UserOperationEvent(hash, sender, address(0), nonce, success, used * tx.gasprice, used);
    }
}

/// The operations of version 0.6.
contract TestEntryPointV06 is TestEntryPoint {
    struct UserOperation {
        address sender;
        uint256 nonce;
        bytes initCode;
        bytes callData;
        uint256 callGasLimit;
        uint256 verificationGasLimit;
        uint256 preVerificationGas;
        uint256 maxFeePerGas;
        uint256 maxPriorityFeePerGas;
        bytes paymasterAndData;
        bytes signature;
    }

    function handleOps(UserOperation[] calldata ops, address payable) external {
        emit BeforeExecution();
        for (uint256 i = 0; i < ops.length; i++) {
            _run(keccak256(abi.encode(ops[i])), ops[i].sender, ops[i].nonce, ops[i].callData);
        }
    }
}

/// The packed operations of versions 0.7 and 0.8; in the latter the sender may be an EIP-7702 account.
contract TestEntryPointV07 is TestEntryPoint {
    struct PackedUserOperation {
        address sender;
        uint256 nonce;
        bytes initCode;
        bytes callData;
        bytes32 accountGasLimits;
        uint256 preVerificationGas;
        bytes32 gasFees;
        bytes paymasterAndData;
        bytes signature;
    }

    function handleOps(PackedUserOperation[] calldata ops, address payable) external {
        emit BeforeExecution();
        for (uint256 i = 0; i < ops.length; i++) {
            _run(keccak256(abi.encode(ops[i])), ops[i].sender, ops[i].nonce, ops[i].callData);
        }
    }
}
