-- The ledger is append-only: the owner too is refused while the triggers stand.
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only: % on % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_account
  EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry
  EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_seal
  EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seal_key
  EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON sealed_entry
  EXECUTE FUNCTION ledger_is_append_only();

-- A reversal must undo exactly the entry that it names: same asset and amount, sides swapped.
CREATE FUNCTION ledger_reversal_mirrors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM ledger_entry original
    WHERE original.id = NEW.reverses
      AND original.kind <> 'reversal'
      AND original.asset_id = NEW.asset_id
      AND original.amount = NEW.amount
      AND original.debit_account = NEW.credit_account
      AND original.credit_account = NEW.debit_account
  ) THEN
    RAISE EXCEPTION 'entry % is not undone by this reversal', NEW.reverses
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER ledger_entry_reversal BEFORE INSERT ON ledger_entry
  FOR EACH ROW WHEN (NEW.reverses IS NOT NULL) EXECUTE FUNCTION ledger_reversal_mirrors();

-- The raised total of a campaign as its ledger says: what the projection must always equal.
CREATE VIEW campaign_ledger_total AS
  SELECT account.campaign_id, sum(side.amount) AS raised
  FROM (
    SELECT credit_account AS account_id, amount FROM ledger_entry
    UNION ALL
    SELECT debit_account, -amount FROM ledger_entry
  ) side
  JOIN ledger_account account ON account.id = side.account_id
  WHERE account.kind IN ('held', 'released')
  GROUP BY account.campaign_id;

-- The entries without a reversal. The rights of the caller apply, so no entry can be changed by it.
CREATE VIEW standing_entry WITH (security_invoker = true) AS
  SELECT * FROM ledger_entry entry
  WHERE NOT EXISTS (SELECT FROM ledger_entry reversal WHERE reversal.reverses = entry.id);

-- Whether a linked wallet counts on a chain: a plain key on all, a contract where it was linked.
CREATE FUNCTION holds_on(linked wallet, on_chain bigint) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN linked.method = 'ecdsa' OR linked.chain_id = on_chain;
