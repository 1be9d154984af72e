// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Runs calls in their order, for everybody: a lender that wants its money back within the
/// transaction, or an account that passes on what it gets. For tests on development chains only.
contract TestMulticall {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    receive() external payable {}

    function run(Call[] calldata calls) external payable {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory result) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (success) continue;
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
    }
}

/// Wrapped ether in the way of WETH9: no Transfer when it is made or given back.
contract TestWrapped {
    string public constant symbol = "WETH";
    uint8 public constant decimals = 18;
    mapping(address account => uint256) public balanceOf;

    event Transfer(address indexed src, address indexed dst, uint256 wad);
    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 wad) external {
        balanceOf[msg.sender] -= wad;
        (bool paid,) = msg.sender.call{value: wad}("");
        require(paid, "pay");
        emit Withdrawal(msg.sender, wad);
    }

    function transfer(address dst, uint256 wad) external returns (bool) {
        balanceOf[msg.sender] -= wad;
        balanceOf[dst] += wad;
        emit Transfer(msg.sender, dst, wad);
        return true;
    }
}
