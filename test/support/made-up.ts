/**
 * SQL that inserts a donation of 1,000 base units without a payment, with all rows of a real one:
 * transfer, entry, event and totals, each copied from a credited donation.
 */
export const makeUpDonation = (originalId: string, txHash: string): string[] => [
  `create temp table made as
   select original.id as original_id, original.transfer_id as original_transfer_id,
     original.campaign_id, gen_random_uuid() as id, gen_random_uuid() as transfer_id,
     1000000000::numeric as units
   from donation original where original.id = '${originalId}'`,
  `insert into chain_transfer
   select copy.* from made join chain_transfer on chain_transfer.id = made.original_transfer_id,
     jsonb_populate_record(null::chain_transfer, to_jsonb(chain_transfer) || jsonb_build_object(
       'id', made.transfer_id, 'tx_hash', '\\x${txHash.slice(2)}', 'amount', made.units)) copy`,
  `insert into donation
   select copy.* from made join donation on donation.id = made.original_id,
     jsonb_populate_record(null::donation, to_jsonb(donation) || jsonb_build_object(
       'id', made.id, 'tx_hash', '\\x${txHash.slice(2)}', 'transfer_id', made.transfer_id,
       'declared_amount', made.units, 'confirmed_amount', made.units,
       'credited_amount', made.units)) copy`,
  `insert into ledger_entry (kind, debit_account, credit_account, asset_id, amount, campaign_id,
     donation_id, transfer_id, generation, block_number, block_hash, created_at)
   select kind, debit_account, credit_account, asset_id, made.units, made.campaign_id,
     made.id, made.transfer_id, generation, block_number, block_hash, created_at
   from made join ledger_entry on ledger_entry.donation_id = made.original_id`,
  `insert into event (id, type, campaign_id, audience, packed, created_at)
   select gen_random_uuid(), type, event.campaign_id, audience,
     regexp_replace(regexp_replace(replace(event.body, made.original_id::text, made.id::text),
       '"value":"[0-9.]+"', '"value":"1000"', 'g'),
       '"ledgerTxId":"[^"]+"', '"ledgerTxId":"${txHash}"'), created_at
   from made join event on event.type = 'donation.completed'
     and event.body like '%' || made.original_id || '%'`,
  `update campaign_total total set raised = raised + made.units, donations = donations + 1
   from made where total.campaign_id = made.campaign_id`,
  `update campaign set status = 'funded', funded_at = now()
   from made, campaign_total total
   where campaign.id = made.campaign_id and total.campaign_id = campaign.id
     and campaign.status = 'active' and total.raised >= campaign.target_amount`,
  `update milestone set status = 'reached', reached_at = now()
   from made, campaign_total total
   where milestone.campaign_id = made.campaign_id and total.campaign_id = made.campaign_id
     and milestone.status = 'pending' and total.raised >= milestone.cumulative`,
]
