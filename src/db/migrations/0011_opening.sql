ALTER TABLE "campaign" ADD COLUMN "counts_after" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "campaign" ADD COLUMN "counts_after_block" bigint;--> statement-breakpoint
-- What came before the first campaign of an account is a deposit of that one: it is booked now.
UPDATE chain_state SET booked_number = least(booked_number, early.number - 1)
FROM (
  SELECT transfer.chain_id, min(transfer.block_number) AS number
  FROM chain_transfer transfer
  WHERE EXISTS (
    SELECT FROM campaign
    WHERE campaign.chain_id = transfer.chain_id AND campaign.account = transfer.recipient
      AND campaign.status <> 'draft' AND NOT campaign.never_opened
  ) AND NOT EXISTS (SELECT FROM ledger_entry entry WHERE entry.transfer_id = transfer.id)
  GROUP BY transfer.chain_id
) early
WHERE early.chain_id = chain_state.chain_id AND early.number IS NOT NULL;
