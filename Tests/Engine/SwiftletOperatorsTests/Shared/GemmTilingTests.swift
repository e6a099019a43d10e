import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Matrix tiling")
struct GemmTilingTests {
  @Test(
    "covers every row and column of every matrix once",
    arguments: [
      (1, 1, 1, 1), (1, 49, 1024, 1024), (3, 7, 33, 5), (1, 1, 1000, 1280), (5, 50176, 32, 27), (900, 2, 3, 4),
      (2, 13, 70, 100_000), (8, 3, 500, 4000), (7, 40, 600, 3000),
    ],
    [-2, -1, 1, 2, 5])
  func coversEverything(sizes: (matrices: Int, rows: Int, columns: Int, depth: Int), threads: Int) {
    let (matrices, rows, columns, depth) = sizes
    // Negative numbers of threads stand for shared weights.
    let tiling = GemmTiling(
      matrices: matrices, rows: rows, columns: columns, depth: depth, tileRows: 6, panelColumns: 32, elementBytes: 4,
      sharesWeights: threads < 0, threads: abs(threads))
    var covered = 0
    var seen: Set<[Int]> = []
    for tile in 0..<tiling.tileCount {
      let block = tiling.block(tile)
      #expect(block.columns.lowerBound % 32 == 0)
      #expect(block.rows.count <= tiling.rowBlock && block.columns.count <= tiling.columnBlock)
      #expect(
        block.rows.upperBound <= rows && block.columns.upperBound <= columns && block.matrices.upperBound <= matrices)
      covered += block.matrices.count * block.rows.count * block.columns.count
      for matrix in block.matrices {
        #expect(seen.insert([matrix, block.rows.lowerBound, block.columns.lowerBound]).inserted)
      }
    }
    #expect(covered == matrices * rows * columns)
  }

  @Test("multiplies a range of columns by all matrices if they share many weights")
  func keepsSharedWeights() {
    func blocks(sharesWeights: Bool, rows: Int = 2) -> [GemmTiling.Block] {
      let tiling = GemmTiling(
        matrices: 4, rows: rows, columns: 400, depth: 3000, tileRows: 6, panelColumns: 32, elementBytes: 4,
        sharesWeights: sharesWeights, threads: 1)
      return (0..<tiling.tileCount).map(tiling.block)
    }
    let shared = blocks(sharesWeights: true)
    #expect(shared.count == 4 * 13)
    #expect(shared.prefix(4).allSatisfy { $0.columns == 0..<32 })
    #expect(shared.prefix(4).map(\.matrices) == [0..<1, 1..<2, 2..<3, 3..<4])
    #expect(shared[4].columns == 32..<64)
    // With other weights, or with more inputs than weights, a matrix is finished before the next one.
    #expect(blocks(sharesWeights: false).prefix(2).allSatisfy { $0.matrices == 0..<1 })
    #expect(blocks(sharesWeights: true, rows: 101).prefix(13).allSatisfy { $0.matrices == 0..<1 })
  }

  @Test("limits the results of a block, at least to a tile of the kernel", arguments: [1, 2, 5])
  func limitsResults(threads: Int) {
    func tiling(rows: Int, columns: Int, depth: Int, mostResults: Int = 16_384) -> GemmTiling {
      GemmTiling(
        matrices: 1, rows: rows, columns: columns, depth: depth, tileRows: 6, panelColumns: 32, elementBytes: 1,
        mostResults: mostResults, threads: threads)
    }
    let shallow = tiling(rows: 12_544, columns: 32, depth: 8)
    #expect(shallow.rowBlock * shallow.columnBlock <= 16_384)
    #expect(shallow.rowBlock * shallow.columnBlock > 8_192)
    // The products of a deep block are the tighter limit, and a limit on results has no effect.
    let deep = tiling(rows: 12_544, columns: 32, depth: 4096)
    #expect(deep.rowBlock == tiling(rows: 12_544, columns: 32, depth: 4096, mostResults: .max).rowBlock)
    #expect(tiling(rows: 12_544, columns: 32, depth: 8, mostResults: 1).rowBlock == 6)
    #expect(tiling(rows: 100, columns: 3, depth: 1 << 40, mostResults: 1 << 30).rowBlock == 6)
  }

  @Test("has no tiles when there are no rows")
  func isEmptyWithoutRows() {
    let tiling = GemmTiling(
      matrices: 1, rows: 0, columns: 4, depth: 4, tileRows: 6, panelColumns: 32, elementBytes: 4, threads: 1)
    #expect(tiling.tileCount == 0)
  }

  @Test("groups small matrices and splits large ones")
  func sizesTiles() {
    let small = GemmTiling(
      matrices: 64, rows: 8, columns: 8, depth: 8, tileRows: 6, panelColumns: 32, elementBytes: 4, threads: 1)
    #expect(small.tileCount == 1)
    let large = GemmTiling(
      matrices: 1, rows: 3136, columns: 256, depth: 576, tileRows: 6, panelColumns: 32, elementBytes: 4, threads: 1)
    #expect(large.tileCount > 100)
    // A single row is split along its columns.
    let row = GemmTiling(
      matrices: 1, rows: 1, columns: 4096, depth: 4096, tileRows: 6, panelColumns: 32, elementBytes: 4, threads: 1)
    #expect(row.tileCount > 16)
  }

  @Test("splits the tiles of one thread for several threads")
  func cutsForThreads() {
    func tiles(_ threads: Int) -> Int {
      GemmTiling(
        matrices: 1, rows: 196, columns: 64, depth: 64, tileRows: 6, panelColumns: 32, elementBytes: 4, threads: threads
      ).tileCount
    }
    #expect(tiles(1) == 1)
    #expect((4...8).contains(tiles(2)))
    // With any number of threads, tiles don't become too small.
    #expect(tiles(100) <= 8)
  }

  @Test("no tile for several threads is larger than that of one thread")
  func boundsTiles() {
    for rows in [1, 5, 12, 13, 49, 3136] {
      for columns in [1, 33, 256, 4096] {
        for depth in [1, 27, 576, 4096, 100_000] {
          for bytes in [1, 4] {
            func tiling(_ threads: Int) -> GemmTiling {
              GemmTiling(
                matrices: 1, rows: rows, columns: columns, depth: depth, tileRows: 6, panelColumns: 32,
                elementBytes: bytes, threads: threads)
            }
            let alone = tiling(1)
            for threads in [2, 3, 8] {
              let shared = tiling(threads)
              #expect(shared.rowBlock <= alone.rowBlock && shared.columnBlock <= alone.columnBlock)
            }
          }
        }
      }
    }
  }
}
