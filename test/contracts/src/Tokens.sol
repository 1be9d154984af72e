// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The functions of a normal token that tests call.
interface IToken {
    function mint(address to, uint256 value) external;
    function approve(address spender, uint256 value) external returns (bool);
    function transfer(address to, uint256 value) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
    function DOMAIN_SEPARATOR() external view returns (bytes32);
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}

/// Balances and allowances. Each token below moves balances in another way.
abstract contract Balances {
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function approve(address spender, uint256 value) external {
        allowance[msg.sender][spender] = value;
    }

    function _spend(address from, uint256 value) internal {
        allowance[from][msg.sender] -= value;
    }

    function _move(address from, address to, uint256 value) internal virtual {
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }
}

/// A token whose `transfer` returns nothing, like USDT.
contract NoReturnToken is Balances {
    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        _spend(from, value);
        _move(from, to, value);
    }
}

abstract contract BoolToken is Balances {
    function transfer(address to, uint256 value) external virtual returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external virtual returns (bool) {
        _spend(from, value);
        _move(from, to, value);
        return true;
    }
}

/// A token whose failing transfers return false.
contract FalseToken is BoolToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        if (balanceOf[msg.sender] < value) return false;
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value)
        external override returns (bool)
    {
        if (allowance[from][msg.sender] < value || balanceOf[from] < value) return false;
        _spend(from, value);
        _move(from, to, value);
        return true;
    }
}

/// A token that keeps a hundredth of each transfer.
contract FeeToken is BoolToken {
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        balanceOf[to] -= value / 100;
    }
}

/// A token that blocks transfers from and to listed accounts, like USDC.
contract BlacklistToken is BoolToken {
    mapping(address account => bool) public isBlocked;

    function setBlocked(address account, bool blocked) external {
        isBlocked[account] = blocked;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(!isBlocked[from] && !isBlocked[to], "blocked");
        super._move(from, to, value);
    }
}

/// A token without a supply limit, whose issuer can remove balances.
contract WipeToken is BoolToken {
    function wipe(address account, uint256 value) external {
        balanceOf[account] -= value;
    }
}

interface IHook {
    function onTokens() external;
}

/// A token that calls the sender before, and the recipient after each transfer, like ERC-777.
contract HookToken is BoolToken {
    mapping(address account => bool) public hasHook;

    function setHook(bool active) external {
        hasHook[msg.sender] = active;
    }

    function _move(address from, address to, uint256 value) internal override {
        if (hasHook[from]) IHook(from).onTokens();
        super._move(from, to, value);
        if (hasHook[to]) IHook(to).onTokens();
    }
}

/// The second address of a token that has two addresses.
contract OtherAddress {
    TwoAddressToken private immutable _token;

    constructor(TwoAddressToken token) {
        _token = token;
    }

    function balanceOf(address account) external view returns (uint256) {
        return _token.balanceOf(account);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _token.moveFor(msg.sender, to, value);
        return true;
    }
}

contract TwoAddressToken is BoolToken {
    OtherAddress public immutable other = new OtherAddress(this);

    function moveFor(address from, address to, uint256 value) external {
        require(msg.sender == address(other), "not the other address");
        _move(from, to, value);
    }
}
