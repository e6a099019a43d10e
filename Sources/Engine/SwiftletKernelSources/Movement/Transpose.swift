// Goals, in order: nothing read or written outside the matrix; blocks that fit the registers.

/// Computes `output[c, r] = input[r, c]` for 32-bit elements, in 4 × 4 blocks. Strides are in elements.
@inline(__always)
func transpose32(
  rows: Int, columns: Int, input: UnsafePointer<UInt32>, inputStride: Int, output: UnsafeMutablePointer<UInt32>,
  outputStride: Int
) {
  @inline(__always) func line(_ row: Int, _ column: Int) -> SIMD4<UInt32> {
    UnsafeRawPointer(input + (row &* inputStride &+ column)).loadUnaligned(as: SIMD4<UInt32>.self)
  }
  @inline(__always) func put(_ x: SIMD4<UInt32>, _ row: Int, _ column: Int) {
    UnsafeMutableRawPointer(output + (column &* outputStride &+ row)).storeBytes(of: x, as: SIMD4<UInt32>.self)
  }
  var row = 0
  while row &+ 4 <= rows {
    var column = 0
    while column &+ 4 <= columns {
      let a = line(row, column), b = line(row &+ 1, column), c = line(row &+ 2, column), d = line(row &+ 3, column)
      put(SIMD4(a.x, b.x, c.x, d.x), row, column)
      put(SIMD4(a.y, b.y, c.y, d.y), row, column &+ 1)
      put(SIMD4(a.z, b.z, c.z, d.z), row, column &+ 2)
      put(SIMD4(a.w, b.w, c.w, d.w), row, column &+ 3)
      column &+= 4
    }
    while column < columns {
      var line = row
      while line < row &+ 4 {
        output[column &* outputStride &+ line] = input[line &* inputStride &+ column]
        line &+= 1
      }
      column &+= 1
    }
    row &+= 4
  }
  while row < rows {
    var column = 0
    while column < columns {
      output[column &* outputStride &+ row] = input[row &* inputStride &+ column]
      column &+= 1
    }
    row &+= 1
  }
}

/// Computes the same for bytes, in 8 × 8 blocks of eight 64-bit words.
@inline(__always)
func transpose8(
  rows: Int, columns: Int, input: UnsafePointer<UInt8>, inputStride: Int, output: UnsafeMutablePointer<UInt8>,
  outputStride: Int
) {
  @inline(__always) func line(_ row: Int, _ column: Int) -> UInt64 {
    UnsafeRawPointer(input + (row &* inputStride &+ column)).loadUnaligned(as: UInt64.self)
  }
  @inline(__always) func put(_ x: UInt64, _ row: Int, _ column: Int) {
    UnsafeMutableRawPointer(output + (column &* outputStride &+ row)).storeBytes(of: x, as: UInt64.self)
  }
  /// Swaps the masked fields of `b` with the fields of `a` that are `shift` bits higher.
  @inline(__always) func exchange(_ a: inout UInt64, _ b: inout UInt64, _ shift: UInt64, _ mask: UInt64) {
    let difference = ((a &>> shift) ^ b) & mask
    a ^= difference &<< shift
    b ^= difference
  }
  var row = 0
  while row &+ 8 <= rows {
    var column = 0
    while column &+ 8 <= columns {
      var a = line(row, column), b = line(row &+ 1, column), c = line(row &+ 2, column), d = line(row &+ 3, column)
      var e = line(row &+ 4, column), f = line(row &+ 5, column), g = line(row &+ 6, column), h = line(row &+ 7, column)
      exchange(&a, &e, 32, 0x0000_0000_FFFF_FFFF)
      exchange(&b, &f, 32, 0x0000_0000_FFFF_FFFF)
      exchange(&c, &g, 32, 0x0000_0000_FFFF_FFFF)
      exchange(&d, &h, 32, 0x0000_0000_FFFF_FFFF)
      exchange(&a, &c, 16, 0x0000_FFFF_0000_FFFF)
      exchange(&b, &d, 16, 0x0000_FFFF_0000_FFFF)
      exchange(&e, &g, 16, 0x0000_FFFF_0000_FFFF)
      exchange(&f, &h, 16, 0x0000_FFFF_0000_FFFF)
      exchange(&a, &b, 8, 0x00FF_00FF_00FF_00FF)
      exchange(&c, &d, 8, 0x00FF_00FF_00FF_00FF)
      exchange(&e, &f, 8, 0x00FF_00FF_00FF_00FF)
      exchange(&g, &h, 8, 0x00FF_00FF_00FF_00FF)
      put(a, row, column)
      put(b, row, column &+ 1)
      put(c, row, column &+ 2)
      put(d, row, column &+ 3)
      put(e, row, column &+ 4)
      put(f, row, column &+ 5)
      put(g, row, column &+ 6)
      put(h, row, column &+ 7)
      column &+= 8
    }
    while column < columns {
      var line = row
      while line < row &+ 8 {
        output[column &* outputStride &+ line] = input[line &* inputStride &+ column]
        line &+= 1
      }
      column &+= 1
    }
    row &+= 8
  }
  while row < rows {
    var column = 0
    while column < columns {
      output[column &* outputStride &+ row] = input[row &* inputStride &+ column]
      column &+= 1
    }
    row &+= 1
  }
}
