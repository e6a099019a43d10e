import SwiftletVision

/// A vision task as it is measured: alone, beside MediaPipe, and for thousands of frames. One row of ``all`` each.
struct MeasuredTask: Sendable {
  /// What the task is called here, and in requests to the peer.
  let name: String
  /// In the test data: of `models`, and of `tasks/models` for bundles.
  let models: [String]
  /// In `images` of the test data.
  let pictures: [String]
  /// Whether a run in which frames follow one another is another thing than one on single pictures.
  var tracks = false
  /// The task in a running mode.
  let make: @Sendable (BaseOptions, RunningMode) throws -> any VisionTask

  /// The lowest score of objects that are reported.
  static let scoreThreshold: Float = 0.3
  /// The most categories that are reported.
  static let maxResults = 5

  static let all: [MeasuredTask] = [
    faces, objects, categoryMask, confidenceMasks, embedding, classification, faceLandmarks, faceBlendshapes, hands,
    gestures, poses, poseMasks, holistic,
  ]
}

extension MeasuredTask {
  private static let segmenters = [
    "segmentation/deeplabv3_257_metadata.tflite", "segmentation/selfie_segmentation_256_metadata.tflite",
  ]
  private static let segmented = ["segmentation_input_rotation0.jpg", "cats_and_dogs.jpg"]

  private static let faces = MeasuredTask(
    name: "faces",
    models: ["face/face_detector_short_range_metadata.tflite", "face/face_detection_full_range_metadata.tflite"],
    pictures: ["face.jpg", "coupleanddog.jpeg"]
  ) { base, mode in try FaceDetector(options: FaceDetectorOptions(baseOptions: base, runningMode: mode)) }

  private static let objects = MeasuredTask(
    name: "objects",
    models: ["detection/coco_ssd_mobilenet_v1_1.0_quant.tflite", "detection/salad_automl_320.tflite"],
    pictures: ["cats_and_dogs.jpg", "multi_objects.jpg"]
  ) { base, mode in
    try ObjectDetector(
      options: ObjectDetectorOptions(baseOptions: base, runningMode: mode, scoreThreshold: scoreThreshold))
  }

  private static let categoryMask = MeasuredTask(name: "category-mask", models: segmenters, pictures: segmented) {
    base, mode in
    try ImageSegmenter(
      options: ImageSegmenterOptions(
        baseOptions: base, runningMode: mode, shouldOutputConfidenceMasks: false, shouldOutputCategoryMask: true))
  }

  private static let confidenceMasks = MeasuredTask(
    name: "confidence-masks", models: segmenters, pictures: segmented
  ) { base, mode in
    try ImageSegmenter(options: ImageSegmenterOptions(baseOptions: base, runningMode: mode))
  }

  private static let embedding = MeasuredTask(
    name: "embedding",
    models: [
      "embedding/mobilenet_v2_035_96_embedder.tflite",
      "embedding/mobilenet_v1_1.0_224_quant_embedding_extractor.tflite",
    ],
    pictures: ["burger.jpg", "cats_and_dogs.jpg"]
  ) { base, mode in try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: base, runningMode: mode)) }

  private static let classification = MeasuredTask(
    name: "classification",
    models: ["classification/mobilenet_v1_0.25_224_float.tflite", "classification/mobilenet_v1_0.25_224_quant.tflite"],
    pictures: ["burger.jpg", "multi_objects.jpg"]
  ) { base, mode in
    try ImageClassifier(
      options: ImageClassifierOptions(baseOptions: base, runningMode: mode, maxResults: maxResults))
  }

  private static let faceLandmarks = MeasuredTask(
    name: "face-landmarks", models: ["face_landmarker.task"], pictures: ["grace_hopper.jpg", "face.jpg"], tracks: true
  ) { base, mode in try FaceLandmarker(options: FaceLandmarkerOptions(baseOptions: base, runningMode: mode)) }

  private static let faceBlendshapes = MeasuredTask(
    name: "face-blendshapes", models: ["face_landmarker.task"], pictures: ["grace_hopper.jpg"], tracks: true
  ) { base, mode in
    try FaceLandmarker(
      options: FaceLandmarkerOptions(
        baseOptions: base, runningMode: mode, outputsBlendshapes: true, outputsTransformationMatrices: true))
  }
}
