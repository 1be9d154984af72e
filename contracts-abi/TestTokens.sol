// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A token that keeps one part in a hundred of each transfer: what arrives is less than what the call
/// asked for. For tests on development chains only.
contract TestFeeToken {
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;
    address public constant COLLECTOR = address(0xfee);
    mapping(address account => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        uint256 fee = value / 100;
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value - fee;
        balanceOf[COLLECTOR] += fee;
        emit Transfer(msg.sender, to, value - fee);
        emit Transfer(msg.sender, COLLECTOR, fee);
        return true;
    }
}

/// A token in the way of the first ones: a transfer that fails returns false, and the transaction
/// succeeds. Its zero-value transfers need nobody's consent, as EIP-20 allows.
contract TestFalseToken {
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;
    mapping(address account => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (value > 0 && from != msg.sender) return false;
        return _move(from, to, value);
    }

    function _move(address from, address to, uint256 value) private returns (bool) {
        if (balanceOf[from] < value) return false;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// An ERC-721: its Transfer has the topic of EIP-20's, and a fourth one with the token's id.
contract TestNft {
    mapping(uint256 id => address) public ownerOf;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function mint(address to, uint256 id) external {
        require(ownerOf[id] == address(0), "minted");
        ownerOf[id] = to;
        emit Transfer(address(0), to, id);
    }
}
