package present

// alsoFor lists what else people type who want a page, by its path below the
// language: what they have seen happen or are asked for, rather than what the
// page is called.
var alsoFor = map[string][]string{
	"learn/central-server":  {"参数服务器", "中心服务器", "排队", "parameter server", "collector", "queue"},
	"learn/why":             {"训练", "齐步", "木桶", "为什么训练要通信", "training", "lock step", "gradients", "weights"},
	"learn/race":            {"切换点", "交叉点", "crossover", "which is faster"},
	"learn/customer":        {"值不值", "预算", "加网卡", "worth it", "budget", "faster network", "network price", "money"},
	"learn/topology":        {"调度", "轨道", "收敛比", "超额订阅", "PXN", "rails", "oversubscription"},
	"learn/paths/fabric":    {"值不值", "预算", "价钱", "网络报价", "更快的网络", "faster network", "network price", "money", "budget", "upgrade"},
	"learn/labs/freeze":     {"停", "卡住", "死锁", "冻结", "挂起", "不动了", "frozen", "freeze", "stuck", "hang", "hung", "deadlock", "stopped"},
	"learn/labs/slow-rank":  {"慢", "慢卡", "木桶", "掉队", "齐步", "barrel", "slow", "straggler"},
	"learn/labs/crossover":  {"切换点", "交叉点", "crossover size"},
	"learn/labs/two-halves": {"权重", "weight", "ZeRO"},
	"size":                  {"算", "规模", "值不值", "预算", "价钱", "要几台", "sizing", "size", "how many machines", "money", "budget", "network price", "faster network"},
}
