-- Rows as version 10 writes them; they must survive every later migration.
INSERT INTO entries (kind, id, document, changed_by, changed_ms) VALUES
    ('accelerators', 'npu-x1', '{"id":"npu-x1","name":"NPU X1","memory_gb":96,"memory_bandwidth_gbytes_per_s":3200,"bf16_dense_tflops":640,"source":"data sheet","verified":true,"basis":"stated","own":true,"unverified_fields":[]}', 'ada', 1796083200000),
    ('systems', 'lab-8x1', '{"id":"lab-8x1","name":"Lab node","accelerator":"npu-x1","accelerators_per_node":8,"scaleup_domain_size":8,"nics_per_node":8,"nic_gbits_per_s_each":200,"nic_gbits_per_s_total":1600,"nic_gbytes_per_s_per_accelerator":25,"nic_type":"RoCE","source":"offer","verified":false,"basis":"assumed","own":true,"unverified_fields":["all"]}', 'key', 1796086800000);
