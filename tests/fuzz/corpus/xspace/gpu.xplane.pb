
À/device:GPU:0üStream #7(Kernel)"wˆ' "R*Nregs:32 static_shared:16 dynamic_shared:0 block:256,1,1 grid:4,64,1 occ_pct:50"*a/MatMul:MatMul")"y˜u "B*> grid:4,1,1 block:1,1,1 private_mem:8 group_mem:8704 occ_pct:0"*
XlaModule:"*call::dot.1"	"*"*¨Ã "*size:4 dest:4 async:1"+"E¸‘ "'*#regs:2191500840 static_shared:32462"*x:Y#shape=()#"gemm"	MemcpyH2D*kernel_details*	tf_op*
hlo_op*
program_id*correlation_id*memcpy_details*
annotation
Þ	/host:CPU(main"èô")"Ðô"*"cuLaunchKernel*kernel_details*	tf_op*
hlo_op*
program_id*correlation_id*memcpy_details*
annotation