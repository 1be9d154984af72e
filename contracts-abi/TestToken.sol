// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title An ERC-20 token for development chains. Any account may mint it, so it is worth nothing.
/// @dev EIP-20 and the transfers by signature of ERC-3009, with the functions of USDC 2.2. The
/// errors of EIP-20 functions are those of ERC-6093.
contract TestToken {
    string public constant name = "Test USD Coin";
    string public constant symbol = "USDC";
    /// @notice The version in the EIP-712 domain.
    string public constant version = "1";
    uint8 public constant decimals = 6;

    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    /// @notice True if the authorizer has used this nonce.
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed);
    error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed);
    error ERC20InvalidReceiver(address receiver);
    error ERC20InvalidSpender(address spender);
    error AuthorizationUsedBefore();
    error AuthorizationNotInTime();
    error AuthorizationOfOtherCaller();
    error AuthorizationSignatureInvalid();

    bytes32 private constant TRANSFER_TYPE = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant RECEIVE_TYPE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    /// @notice Creates `value` base units out of nothing for `to`.
    function mint(address to, uint256 value) external returns (bool) {
        if (to == address(0)) revert ERC20InvalidReceiver(to);
        totalSupply += value;
        // Cannot overflow: no balance exceeds the total supply.
        unchecked {
            balanceOf[to] += value;
        }
        emit Transfer(address(0), to, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        if (spender == address(0)) revert ERC20InvalidSpender(spender);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    /// @dev An allowance of the largest number is never used up.
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            if (allowed < value) revert ERC20InsufficientAllowance(msg.sender, allowed, value);
            unchecked {
                allowance[from][msg.sender] = allowed - value;
            }
        }
        _move(from, to, value);
        return true;
    }

    /// @notice Moves tokens by a signature of `from` (ERC-3009). Any account may call this.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        bytes memory message =
            abi.encode(TRANSFER_TYPE, from, to, value, validAfter, validBefore, nonce);
        _useAuthorization(from, validAfter, validBefore, nonce, message, signature);
        _move(from, to, value);
    }

    /// @notice As `transferWithAuthorization`, but only `to` may call this.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        if (to != msg.sender) revert AuthorizationOfOtherCaller();
        bytes memory message =
            abi.encode(RECEIVE_TYPE, from, to, value, validAfter, validBefore, nonce);
        _useAuthorization(from, validAfter, validBefore, nonce, message, signature);
        _move(from, to, value);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                address(this)
            )
        );
    }

    /// @dev The signature is of ECDSA, or of EIP-1271 if `from` has code, as in USDC 2.2.
    function _useAuthorization(
        address from,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory message,
        bytes calldata signature
    ) private {
        if (block.timestamp <= validAfter || block.timestamp >= validBefore) {
            revert AuthorizationNotInTime();
        }
        if (authorizationState[from][nonce]) revert AuthorizationUsedBefore();
        bytes32 digest =
            keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), keccak256(message)));
        if (!SignatureChecker.isValidSignatureNow(from, digest, signature)) {
            revert AuthorizationSignatureInvalid();
        }
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
    }

    function _move(address from, address to, uint256 value) private {
        if (to == address(0)) revert ERC20InvalidReceiver(to);
        uint256 balance = balanceOf[from];
        if (balance < value) revert ERC20InsufficientBalance(from, balance, value);
        unchecked {
            balanceOf[from] = balance - value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }
}
