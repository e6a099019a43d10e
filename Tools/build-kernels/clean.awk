# Reduces the compiler's assembly to the kernels: functions named swiftlet_…, and the constants and jump tables they
# use. Type metadata, autolink entries and whatever else a Swift module carries is dropped. Entry points get the
# level in their name, are hidden from dynamic symbol tables, and may be dropped by the linker when unused.

function flush_constant() {
  if (constant != "") print constant
  constant = ""
}

{
  sub(/[ \t]+#.*$/, "")
  sub(/^#.*$/, "")
  sub(/[ \t]+$/, "")
}
/^$/ { next }

/^[ \t]*\.(section|text|data|bss)/ {
  flush_constant()
  section = $0
  alignment = ""
  in_constant = 0
  sub(/"axR"/, "\"ax\"", section)
  keep_text = section ~ /\.text\.swiftlet_/
  constants = section ~ /\.rodata/ && section !~ /__swift/
  if (keep_text) { gsub(/swiftlet_/, "swiftlet_" level "_", section); print section }
  next
}

keep_text {
  sub(/^\t\.protected/, "\t.hidden")
  gsub(/swiftlet_/, "swiftlet_" level "_")
  print
  if ($1 == ".size") keep_text = 0
  next
}

constants {
  if ($1 == ".p2align") { flush_constant(); alignment = $0; in_constant = 0; next }
  if ($0 ~ /^\.L(CPI|JTI)[0-9_]+:/) {
    flush_constant()
    constant = section (alignment == "" ? "" : "\n" alignment) "\n" $0
    in_constant = 1
    next
  }
  if ($0 ~ /^[^ \t]/) { flush_constant(); in_constant = 0; next }
  if (in_constant) constant = constant "\n" $0
}

END {
  flush_constant()
  print "\t.section\t\".note.GNU-stack\",\"\",@progbits"
}
