# Findings from a profiler's own results: a 0 that the profiler did not fill in is no measurement.
cols='{"id":"stepnum"},{"id":"tcComputeTimeMs"},{"id":"tcInfeedTimeMs"},{"id":"tcIdleTimeMs"},{"id":"stepTimeMs"}'
page() { # page STEPS AVERAGE
	cat <<END
[{"cols":[{"id":"selfTimePercent"}],"rows":[],
  "p":{"device_duty_cycle_percent":"86.5%","device_idle_time_percent":"13.4%","mxu_utilization_percent":"0.0%"}},
 {"cols":[$cols],"rows":[$1],"p":{"steptime_ms_average":"$2","infeed_percent_average":"0.0"}}]
END
}
says() { # says FILE TEXT
	grep -q "$2" "$1" || { echo "no '$2' in $1"; cat "$1"; exit 1; }
}
page '' 0.0 >none.overview_page.json
"$tpuscope" report findings none.overview_page.json >none || exit 1
says none '^medium  13.4 %  Device idle: no op runs'
says none 'no op runs for 13.4 % of the traced time'
says none '^Input wait  *no steps in the profiler'
"$tpuscope" snapshot overview --size 100x20 none.overview_page.json >view || exit 1
says view 'Step time  *–  *Input wait  *–'
says view 'Duty cycle  *86.5 %.*MFU  *–'
# infeed that is exactly 0: the program has none, and waits for its input in the idle time
page '{"c":[{"v":"0"},{"v":7},{"v":0},{"v":3},{"v":10}]}' 10.0 >steps.overview_page.json
"$tpuscope" report findings steps.overview_page.json >steps || exit 1
says steps '^high  *30.0 %  Device idle'
says steps '^Input wait  *no infeed op: a wait would be part of the 30.0 % idle time'
