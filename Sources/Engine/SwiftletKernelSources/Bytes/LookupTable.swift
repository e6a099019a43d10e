/// Replaces every byte by its entry in a table of 256 entries. `output` may be `input`.
@inline(__always)
func lookUp<V: VectorISA>(
  _: V.Type, count: Int, table: UnsafePointer<UInt8>, input: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>
) {
  var index = V.lookUpVectors(count: count, table: table, input: input, output: output)
  while index &+ 8 <= count {
    // Eight loads before eight stores. The CPU couldn't reorder them by itself, because they might overlap.
    let a = table[Int(input[index])], b = table[Int(input[index &+ 1])]
    let c = table[Int(input[index &+ 2])], d = table[Int(input[index &+ 3])]
    let e = table[Int(input[index &+ 4])], f = table[Int(input[index &+ 5])]
    let g = table[Int(input[index &+ 6])], h = table[Int(input[index &+ 7])]
    output[index] = a
    output[index &+ 1] = b
    output[index &+ 2] = c
    output[index &+ 3] = d
    output[index &+ 4] = e
    output[index &+ 5] = f
    output[index &+ 6] = g
    output[index &+ 7] = h
    index &+= 8
  }
  while index < count {
    output[index] = table[Int(input[index])]
    index &+= 1
  }
}
