-- The schedule of a run that carried out an imported one, as gzip of its
-- document; that of any other run is built again from its document.

-- +goose Up
ALTER TABLE runs ADD COLUMN schedule BLOB;
