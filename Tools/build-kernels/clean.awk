# Reduces the compiler's assembly to the kernels: functions named swiftlet_…, and the constants and jump tables they
# use. Type metadata, autolink entries and whatever else a Swift module carries is dropped. Entry points get the
# level in their name, are hidden from dynamic symbol tables, and may be dropped by the linker when unused.

function note_references(line,    name) {
  while (match(line, /\.L(CPI|JTI)[0-9_]+/)) {
    name = substr(line, RSTART, RLENGTH)
    referenced[name] = 1
    line = substr(line, RSTART + RLENGTH)
  }
}

# A comment begins with # for x86-64 and with // for arm64, where # is part of a number.
{
  if (level ~ /^avx/) sub(/(^|[ \t]+)#.*$/, "")
  else sub(/(^|[ \t]+)\/\/.*$/, "")
  sub(/[ \t]+$/, "")
}
# Kernels call nothing, so nothing unwinds through them.
/^$/ || /^\t\.cfi_/ { next }

/^[ \t]*\.(section|text|data|bss)/ {
  section = $0
  alignment = ""
  constant = ""
  sub(/"axR"/, "\"ax\"", section)
  keep_text = section ~ /\.text\.swiftlet_/
  constants = section ~ /\.rodata/ && section !~ /__swift/
  if (keep_text) { gsub(/swiftlet_/, "swiftlet_" level "_", section); print section }
  next
}

keep_text {
  sub(/^\t\.protected/, "\t.hidden")
  gsub(/swiftlet_/, "swiftlet_" level "_")
  note_references($0)
  print
  if ($1 == ".size") keep_text = 0
  next
}

constants {
  if ($1 == ".p2align") { alignment = $0; constant = ""; next }
  if ($0 ~ /^\.L(CPI|JTI)[0-9_]+:/) {
    constant = substr($0, 1, length($0) - 1)
    order[++count] = constant
    text[constant] = section (alignment == "" ? "" : "\n" alignment) "\n" $0
    next
  }
  if ($0 ~ /^[^ \t]/) { constant = ""; next }
  if (constant != "") text[constant] = text[constant] "\n" $0
}

END {
  for (i = 1; i <= count; i++) if (order[i] in referenced) print text[order[i]]
  print "\t.section\t\".note.GNU-stack\",\"\",@progbits"
}
