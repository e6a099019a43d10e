import Foundation
import MediaPipeTasksVision
import Testing

@Suite("Matrices and connections")
struct TransformMatrixTests {
  private func matrix(_ numbers: [Float], rows: Int, columns: Int) -> TransformMatrix {
    numbers.withUnsafeBufferPointer { memory in
      memory.baseAddress.map { TransformMatrix(data: $0, rows: rows, columns: columns) }
    } ?? TransformMatrix(data: UnsafePointer(UnsafeMutablePointer<Float>.allocate(capacity: 1)), rows: 0, columns: 0)
  }

  @Test("a matrix copies its numbers, in MediaPipe's order")
  func numbers() {
    let square = matrix((0..<16).map(Float.init), rows: 4, columns: 4)
    #expect(square.rows == 4 && square.columns == 4 && (0..<16).map { square.data[$0] } == (0..<16).map(Float.init))
    #expect(square.value(atRow: 1, column: 2) == 6 && square.value(atRow: 3, column: 3) == 15)
    let wide = matrix([0, 1, 2, 3, 4, 5], rows: 2, columns: 3)
    #expect(wide.value(atRow: 1, column: 0) == 2 && wide.value(atRow: 1, column: 2) == 4)
    let high = matrix([0, 1, 2, 3, 4, 5], rows: 3, columns: 2)
    #expect(high.value(atRow: 1, column: 1) == 4 && high.value(atRow: 2, column: 0).isNaN)
  }

  @Test("elements outside a matrix are NaN", arguments: [UInt(4), 5, .max / 2, .max])
  func outside(number: UInt) {
    let square = matrix((0..<16).map(Float.init), rows: 4, columns: 4)
    #expect(square.value(atRow: number, column: 0).isNaN && square.value(atRow: 0, column: number).isNaN)
    #expect(square.value(atRow: number, column: number).isNaN)
  }

  @Test("invalid sizes give an empty matrix", arguments: [-1, 0, Int.min])
  func sizes(number: Int) {
    #expect(matrix([1], rows: number, columns: 1).rows == 0)
    #expect(matrix([1], rows: 1, columns: number).columns == 0)
    #expect(matrix([1], rows: number, columns: number).value(atRow: 0, column: 0).isNaN)
  }

  @Test("face connections are available by part")
  func connections() {
    let parts = [
      FaceLandmarker.lipsConnections(), FaceLandmarker.leftEyeConnections(), FaceLandmarker.leftEyebrowConnections(),
      FaceLandmarker.leftIrisConnections(), FaceLandmarker.rightEyeConnections(),
      FaceLandmarker.rightEyebrowConnections(), FaceLandmarker.rightIrisConnections(),
      FaceLandmarker.faceOvalConnections(),
    ]
    #expect(parts.map(\.count) == [40, 16, 8, 4, 16, 8, 4, 36])
    func pairs(_ lines: [Connection]) -> [[UInt]] { lines.map { [$0.start, $0.end] } }
    let contours = FaceLandmarker.contoursConnections(), mesh = FaceLandmarker.tesselationConnections()
    #expect(pairs(contours) == parts.flatMap(pairs) && mesh.count == 2556)
    #expect(pairs(FaceLandmarker.faceConnections()) == pairs(parts[0]) + pairs(contours) + pairs(mesh))
    // MediaPipe returns the left iris in place of the right one.
    #expect(pairs(parts[6]).allSatisfy { $0.allSatisfy { (468...472).contains($0) } })
    #expect(pairs(parts[3]).allSatisfy { $0.allSatisfy { (473...477).contains($0) } })
  }
}
