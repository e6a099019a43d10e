# Reduces the compiler's assembly to the kernels: functions named swiftlet_…, and the constants and jump tables they
# use. Type metadata, autolink entries and whatever else a Swift module carries is dropped. Entry points get the
# level in their name, are hidden from dynamic symbol tables, and may be dropped by the linker when unused.
#
# What ELF and Mach-O spell differently is written as macros of SwiftletKernelSets/assembly.h.

function note_references(line,    name) {
  while (match(line, /\.L(CPI|JTI)[0-9_]+/)) {
    name = substr(line, RSTART, RLENGTH)
    referenced[name] = 1
    line = substr(line, RSTART + RLENGTH)
  }
}

# The line with its labels as macros; `page` where it takes the upper part of an address.
function with_labels(line, page,    result, name, label) {
  result = ""
  while (match(line, /(:lo12:)?\.L[A-Za-z0-9_]+/)) {
    name = substr(line, RSTART, RLENGTH)
    label = "L(" substr(name, index(name, ".L") + 2) ")"
    if (name ~ /^:lo12:/) label = "OFFSET(" label ")"
    else if (page) label = "PAGE(" label ")"
    result = result substr(line, 1, RSTART - 1) label
    line = substr(line, RSTART + RLENGTH)
  }
  return result line
}

# The line in the words of both assemblers.
function portable(line) {
  line = with_labels(line, line ~ /^\tadrp\t/)
  if (line ~ /^\t\.(type|size)\t/) return "\tELF(" substr(line, 2) ")"
  if (line ~ /^\t\.hidden\t/) return "\tHIDDEN(" substr(line, 10) ")"
  if (line ~ /^\t\.globl\t/) return "\t.globl\tSYMBOL(" substr(line, 9) ")"
  if (line ~ /^swiftlet_[a-z0-9_]+:$/) return "SYMBOL(" substr(line, 1, length(line) - 1) "):"
  return line
}

# A comment begins with # for x86-64 and with // for arm64, where # is part of a number.
{
  if (level ~ /^avx|x86_64$/) sub(/(^|[ \t]+)#.*$/, "")
  else sub(/(^|[ \t]+)\/\/.*$/, "")
  sub(/[ \t]+$/, "")
  # Apple's assembler warns of an early processor's fault with the other form.
  if (sub(/\.2d, #0000000000000000$/, ".16b, #0") && $1 != "movi") exit 1
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
  sub(/^[ \t]*\.section[ \t]+/, "", section)
  if (keep_text) { gsub(/swiftlet_/, "swiftlet_" name "_", section); print "\tCODE(" section ")" }
  next
}

keep_text {
  sub(/^\t\.protected/, "\t.hidden")
  gsub(/swiftlet_/, "swiftlet_" name "_")
  note_references($0)
  print portable($0)
  if ($1 == ".size") keep_text = 0
  next
}

constants {
  if ($1 == ".p2align") { alignment = $0; constant = ""; next }
  if ($0 ~ /^\.L(CPI|JTI)[0-9_]+:/) {
    constant = substr($0, 1, length($0) - 1)
    order[++count] = constant
    text[constant] = "\tCONSTANTS(" section ")" (alignment == "" ? "" : "\n" alignment) "\n" portable($0)
    next
  }
  if ($0 ~ /^[^ \t]/) { constant = ""; next }
  if (constant != "") text[constant] = text[constant] "\n" portable($0)
}

END {
  for (i = 1; i <= count; i++) if (order[i] in referenced) print text[order[i]]
  print "\tELF(.section\t\".note.GNU-stack\",\"\",@progbits)"
}
